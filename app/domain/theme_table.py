"""Themes of home, work and people, as data; see `themes`."""

from __future__ import annotations

import re
from typing import Final

from app.domain.theme import theme
from app.domain.values import JOBS

_DWELLING: Final = (
    r"(?:flat|apartment|house|room|studio|cottage|condo|loft|place|bungalow|houseboat|townhouse|duplex|home|farmhouse"
    r"|bedsit|maisonette|cabin|villa)"
)
_MY: Final = r"(?:my|our|the|a|an|his|her|their)"
_WORK: Final = r"(?:job|position|role|post|gig|contract|offer|apprenticeship|internship|placement|career)"
_JOB: Final = "|".join(sorted(re.escape(job) for job in JOBS))
_NAME: Final = r"(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+"

THEMES: Final = (
    theme(
        "home",
        rf"\b(?:lives?|living|resides?|residing|based|settled) (?:\w+ ){{0,2}}(?:in|on|at|near|with|above|alone|by)\b"
        rf"|\bhome(?:'s| is| base)\b|\b(?:rent|own|share|sublet|lease)(?:s|ing)? {_MY} (?:\w+ ){{0,3}}{_DWELLING}\b"
        rf"|\b(?:my|our|his|her|their) (?:\w+ )?(?:{_DWELLING}|address|neighbou?rhood|hometown)(?: \w+)? ?(?:'s|is)\b"
        rf"|\bhave {_MY} (?:\w+ ){{0,2}}{_DWELLING} (?:in|on|near)\b|\bwohn\w*\b|\bleb(?:e|en|t) (?:\w+ )?(?:in"
        rf"|im|bei|auf)\b"
        rf"|\b(?:j'habite|on habite|habitons|je vis|on vit|je loge)\b|\b(?:vivo|vivimos|resido|mi casa está)\b"
        rf"|住在|家在|租在",
        rf"\b(?:moved|moving|relocat(?:ed|ing)|transplanted) (?:(?:back|over|out|up|down|away"
        rf"|all the way) )?(?:(?:to|into"
        rf"|from|across) (?!the (?:back|front|window|next|other|left|right|top|floor|middle)\b)(?!\w+day\b|\d)"
        rf"(?:(?-i:[A-ZÀ-ÖØ-Þ])|{_MY} (?:\w+ ){{0,2}}{_DWELLING}\b|\w+ (?:country|city|town|coast)\b)|house\b"
        rf"|here\b|abroad\b"
        rf"|in (?:with|together)\b|out(?=$|[,.!]))"
        rf"|\bsettl(?:ed|ing) (?:\w+ )?(?:in|into|down)\b"
        rf"|\bunpack(?:ed|ing)\b"
        rf"|\bsigned (?:a|the) lease\b"
        rf"|\bkeys? (?:to|for|in|of)\b.{{0,30}}\b(?:flat|apartment|house|place|home)\b|\bhanded (?:back|in"
        rf"|over) the keys"
        rf"|\bleft {_NAME} (?:\w+ )?(?:for (?-i:[A-Z])|behind)\b"
        rf"|\bcall(?:ing)? "
        rf"{_NAME} home\b|\b(?:lives?|living) (?:\w+ )?(?:in|at|on|with) .{{1,40}} (?:now|these days)\b|\bnow lives?\b"
        rf"|\b(?:i'm|i am|we're|we are) a {_NAME} resident\b|\b(?:swapped|traded) {_NAME} for\b"
        rf"|\bhome is\b.{{1,40}}\bnow\b|\bnow home\b|\bmy home now\b"
        rf"|\b(?:bin|sind) .{{0,40}}(?:um|aus|ein|weg)?gezogen\b|\bneue wohnung\b|\b(?:wohn|leb)\w* (?:jetzt|inzwischen"
        rf"|mittlerweile|nun)\b|\b(?:jetzt|inzwischen|nun) (?:wohn|leb)(?:e|en|t)\b"
        rf"|\b(?:dé|em)ménag\w+\b|\binstallée?s?\b|\bj'habite (?:maintenant|désormais)\b"
        rf"|\b(?:me mudé|nos mudamos|(?:me he|nos hemos) mudado|instalad\w+ en|vivo ahora|ahora vivo)\b|搬到"
        rf"|搬去|搬家|搬进|搬来|接到.{{1,6}}住",
        "home_city",
    ),
    theme(
        "work",
        r"\b(?:works|(?:am|is|are|'m|'s|'re|been|currently|started|still|now) working|(?:i|we|user|still|also"
        r"|now|they|to) work|employed) (?:\w+ )?(?:at|for|as|part|full|in (?:the|a|an) (?:\w+ ){0,2}(?:business"
        r"|industry|trade|sector|department|shop|office|store"
        r"|factory|hospital|school|kitchen|library|lab|warehouse))\b|\bfreelanc\w+\b|\bself-employed\b"
        r"|\bunemployed\b|\bbetween jobs\b|\b(?:looking|searching|hunting) for (?:a |my )?(?:\w+ )?(?:work|job)\b"
        rf"|\b(?:my|her|his) (?:\w+ )?{_WORK}(?: title)? (?:is|at|as)\b|\b(?:teach|teaches|run|runs|manage"
        rf"|manages) (?:a|my|the"
        rf"|our|at|in)\b|\b(?:am|'m|is|'s) (?:an?|the) (?:[\w&-]+ ){{0,3}}(?:{_JOB})\b|\bon (?:parental|maternity"
        r"|sick|paternity) leave\b|\bretired\b|\bon the dole\b|\bi do .{2,20} for a living\b"
        r"|\barbeite\b|\bbin .{0,20}(?:in|er|ist|ent|eur)\b (?:bei|in|im|an)\b|\barbeitslos\b|\bmache eine ausbildung\b"
        r"|\bje (?:travaille|bosse)\b|\bje suis \w+(?:eur|euse|ier|ière|ien|ienne|iste|ant|ante)\b|\bau"
        r" chômage\b|\ben arrêt\b"
        r"|\btrabajo\b|\bsoy \w+(?:ista|or|ora|ero|era|nte)\b|\ben (?:el )?paro\b|工作|上班"
        r"|做.{1,6}(?:师|员|工)|当.{1,6}(?:师|员)"
        r"|当老师|我是.{1,8}(?:员|师|长|理)",
        rf"\b(?:quit|left|lost|changed|switched|started|start|starting|landed|accepted|resigned from|leaving)"
        rf" (?:my|the|a new|an?) (?:(?!with|at|of)[\w-]+ ){{0,2}}{_WORK}s?\b(?! (?:interview|ad|site|early|late)\w*)"
        r"|\bgot (?:a|the) (?:new )?(?:\w+ )?job\b|\bnew job\b"
        r"|\b(?:quit|resigned)(?=$|[,.!;]| (?:yesterday|today|last|on|in|this|for good|at the end)\b)"
        r"|\bhanded in my notice|\bgave (?:my )?notice\b|\bleft (?:the|my) (?:company|firm|agency|startup|practice)\b"
        r"|\b(?:i|we)(?: was| got|'ve been| have been)? (?:\w+ )?(?:fired|laid off|sacked|made redundant)\b"
        r"|\bthey (?:fired|sacked|laid off|let) me\b|\blet me go\b|\bi(?:'m|'ve"
        r"| have)? (?:\w+ )?retired(?=$|[,.!;]| (?:last|this|in|after|early|from work|as)\b)\b"
        r"|\bjoined (?:(?-i:[A-Z])\w+ as (?:an?|the|their)\b|(?:the|a|an) (?:\w+ ){0,2}(?:company|firm|startup"
        r"|agency)\b)"
        r"|\b(?:went|gone) (?:freelance|back to (?:teaching|nursing)|self-employed)\b"
        r"|\b(?:first|last) day (?:at|as) (?!school)(?:an? )?\w+|\bstarted as (?:an?|the)\b|\bstarted at (?-i:[A-Z])"
        r"|\bi(?:'m| am)? (?:now )?work(?:ing)? (?:at|for|as) .{2,40} (?:now|these days)\b"
        r"|\bi(?:'m| am)? now work(?:ing)? (?:at|for|as)\b|\bcareer change\b"
        r"|\bi(?:'m| am) (?:now )?the new [\w-]+(?: \w+)? (?:at|for)\b"
        r"|\bshut (?:up shop|down my (?:business|shop|company))\b|\bsold my (?:business|company|shop|bakery|restaurant"
        r"|firm|practice)\b"
        r"|\b(?:meinen? (?:job|stelle) gekündigt|neuen? (?:stelle|job)\b.{0,30}\b(?:angefangen|bekommen)"
        r"|bin (?:\w+ )?in rente"
        r"|arbeite jetzt|job gewechselt)\b"
        r"|\b(?:j'ai (?:démissionné|commencé comme|été (?:embauché|licencié)e?|changé de (?:boulot|travail|boîte))|je"
        r" travaille (?:maintenant|désormais)|nouveau (?:poste|boulot|travail|job)|je suis (?:à la retraite"
        r"|en retraite))"
        r"|\b(?:me han cogido|me contrataron|me han contratado|me despidieron|me han despedido|nuevo trabajo|me jubilé"
        r"|dimití|me han ascendido|me ascendieron"
        r"|cambié de trabajo)\b|我.{0,6}(?:辞职|辞了|跳槽|入职|退休|失业|被裁|转行|换工作)|新工作|找到工作",
        "job_title employer",
    ),
    theme(
        "love",
        r"\b(?:single|dating|seeing|girlfriend|boyfriend|engaged|married|husband|wife|partner|fianc\w+|divorced"
        r"|separated"
        r"|widow(?:ed|er)?|together (?:with|for))\b|\b(?:ledig|verheiratet|verlobt|single|zusammen|freundin|freund)\b"
        r"|\b(?:célibataire|mariée?|en couple|copine|copain|mari|femme)\b|\b(?:solter[oa]|casad[oa]|novi[oa]"
        r"|saliendo)\b"
        r"|单身|女朋友|男朋友|结婚|老婆|老公|谈恋爱",
        r"\b(?:we|i|i've|we've|and i|he|she)(?: have| has| are|'re"
        r"|'ve)? (?:\w+ ){0,2}?(?:broke(?:n)? up(?! (?:a|the)\b)|split up"
        r"|separated(?! the\b)|divorced|tied the knot"
        r"|got (?:married|engaged|hitched|back together)|eloped|called it quits|went our separate ways)\b"
        r"|\b(?:left|dumped) me\b|\bwedding (?:\w+ )?(?:is|was) (?:\w+ )?called off\b|\bsingle again\b"
        r"|\bpopped the question\b"
        r"|\bno longer together\b"
        r"|\bi (?:have|got|met) a new (?:girlfriend|boyfriend|partner)\b"
        r"|\b(?:ex|husband|wife|fianc\w+|girlfriend|boyfriend) now\b|\bnow (?:my|his|her) (?:ex|husband|wife"
        r"|fianc\w+)\b"
        r"|\b(?:am|'m|is|'s|are|'re) (?:\w+ )?(?:engaged|married|divorced|single) now\b|\bwidowed\b"
        r"|\bstarted (?:dating|seeing)\b|\bjust married\b"
        r"|\b(?:getrennt|geheiratet|verlobt|geschieden|schluss gemacht|wieder solo|wieder single)\b"
        r"|\b(?:séparée?s?|rompu|divorcée?s?|mariée?s? (?:samedi|en|le|hier)|fiancée?s?|quittée?s?|pacsée?s?)\b"
        r"|\b(?:cortó|cortamos|cortado|rompimos|roto|separad[oa]s?|divorciad[oa]s?|se casó|nos casamos|me casé"
        r"|casado)\b"
        r"|分手|离婚|结婚了|领证|订婚|在一起了|脱单",
        "marital_status spouse",
    ),
    theme(
        "name",
        r"\b(?:name(?:'s| is)|i'm called|go by|surname|last name|maiden|nickname)\b|\b(?:heiße|nachname|vorname)\b"
        r"|\bm'appelle\b|\bnom de famille\b|\bme llamo\b|\bapellido\b|我叫|名字|我姓",
        r"\b(?:took|taken|taking|kept|changed|changing|dropped|going back to|went back to|reverted to) (?:my|his"
        r"|her|our|the)"
        r" (?:\w+'?s? )?(?:\w+ )?(?:name|surname)\b|\bcall me\b|\b(?:go|goes|going) by\b"
        r"|\bmy new (?:last |sur)?name\b|\bmy name is .{2,30} now\b|\bdouble-barrell?ed\b|\bmaiden name\b"
        r"|\bmädchennamen?\b"
        r"|\bheiße (?:jetzt|nun)\b|\bje signe\b|\bnom de jeune fille\b|\bm'appelle (?:maintenant|désormais)\b"
        r"|\bahora me llamo\b|改名|以后叫我|叫我",
        "name surname preferred_name",
    ),
    theme(
        "telephone",
        r"\b(?:phone|mobile|cell|telephone|whatsapp)(?: number)? ?(?:'s|is)\b|\bnumber is\b|\b(?:call|ring|text)"
        r" me (?:on|at)\b"
        r"|nummer (?:ist|lautet)\b|\b(?:mon|le) numéro\b|\bmi (?:número|móvil|teléfono|celular)\b|手机号|电话",
        r"\bnew (?:(?:phone|mobile|cell) )?number\b|\b(?:changed|switched) my (?:(?:phone|mobile|cell) )?number\b"
        r"|\bmy (?:\w+ )?number (?:has |is )?changed\b|\breach me (?:at|on|under)\b.{0,20}\d"
        r"|\bnumber is .{5,30} now\b|\bneue (?:handy|telefon)?nummer\b|\berreichbar (?:bin ich )?unter\b"
        r"|\banbieter gewechselt\b"
        r"|\b(?:changé de|nouveau) numéro\b|\b(?:cambié de|nuevo) (?:número|móvil)\b|换号|新号码|换了号码|换手机号",
        "phone",
    ),
    theme(
        "mail",
        r"\b(?:e-?mail|mail address|inbox)\b|@[\w-]+\.",
        r"\b(?:new|changed|closed|old) (?:my |the |that |our )?(?:\w+ )?(?:e-?mail|mailbox|inbox|mail address)\b"
        r"|\bmail(?:box)? .{0,30}(?:closed|gone|dead|anymore|any more|no longer)\b|@[\w.-]+ (?:now|instead|from now)\b"
        r"|\b(?:instead|now|from now on|please).{0,40}@|\bneue (?:e-?)?mail\b|\bnouvelle adresse\b|\bnuevo"
        r" correo\b|新邮箱",
    ),
    theme(
        "way to work",
        r"\b(?:cycles?|bikes?|walks?|drives?|commutes?|carpool|rides?|takes? the|get|by) (?:\w+ ){0,4}(?:to work"
        r"|to the office"
        r"|to the lab|into (?:town|the city|work)|to school|to campus|commute)\b|\bcommut\w+\b|\b(?:get|getting)"
        r" to work\b"
        r"|\bzur arbeit\b|\b(?:au|pour aller au) (?:travail|boulot|bureau)\b|\b(?:al|para ir al) (?:trabajo|curro)\b"
        r"|(?:开车|骑车|坐地铁|坐公交|走路|骑.{0,4}车).{0,3}上班",
        r"\bto work\b.{0,30}\b(?:now|these days)\b|\b(?:now|these days).{0,30}\bto work\b"
        r"|\bzur arbeit\b.{0,30}\bjetzt\b"
        r"|\bjetzt\b.{0,40}\bzur arbeit\b|改坐|改骑|改开",
        "commute",
    ),
)

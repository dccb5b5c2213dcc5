"""Themes of a life of which one has one at a time: how a row says what holds, and how people say that it changed.

"Home is Tucson" and "we're settling into a place in Duluth" share no word. What joins them is that the one says where
somebody lives and the other that it is elsewhere now. Data, in the words of five languages; what a theme may do is
decided in `news`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.domain.terms import query_terms
from app.domain.values import JOBS


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme.

    Attributes:
        name: For the reader of a decision.
        state: How a row says what holds.
        turn: How a statement says that it is otherwise now; it needs no other mark of a change.
        attributes: Attributes of the registry that are of this theme.
        terms: Terms by which such rows are found in the store.
    """

    name: str
    state: re.Pattern[str]
    turn: re.Pattern[str]
    attributes: frozenset[str]


def _t(name: str, state: str, turn: str, attributes: str = "") -> Theme:
    return Theme(name, re.compile(state, re.IGNORECASE), re.compile(turn, re.IGNORECASE), frozenset(attributes.split()))


_DWELLING: Final = (
    r"(?:flat|apartment|house|room|studio|cottage|condo|loft|place|bungalow|houseboat|townhouse|duplex|home|farmhouse"
    r"|bedsit|maisonette|cabin|villa)"
)
_MY: Final = r"(?:my|our|the|a|an|his|her|their)"
_WORK: Final = r"(?:job|position|role|post|gig|contract|offer|apprenticeship|internship|placement|career)"
_JOB: Final = "|".join(sorted(re.escape(job) for job in JOBS))
_NAME: Final = r"(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+"

THEMES: Final = (
    _t(
        "home",
        rf"\b(?:lives?|living|resides?|residing|based|settled) (?:\w+ ){{0,2}}(?:in|on|at|near|with|above|alone|by)\b"
        rf"|\bhome(?:'s| is| base)\b|\b(?:rent|own|share|sublet|lease)(?:s|ing)? {_MY} (?:\w+ ){{0,3}}{_DWELLING}\b"
        rf"|\b(?:my|our|his|her|their) (?:\w+ )?(?:{_DWELLING}|address|neighbou?rhood|hometown)(?: \w+)? ?(?:'s|is)\b"
        rf"|\bhave {_MY} (?:\w+ ){{0,2}}{_DWELLING} (?:in|on|near)\b|\bwohn\w*\b|\bleb(?:e|en|t) (?:\w+ )?(?:in"
        rf"|im|bei|auf)\b"
        rf"|\b(?:j'habite|on habite|habitons|je vis|on vit|je loge)\b|\b(?:vivo|vivimos|resido|mi casa está)\b"
        rf"|住在|家在|租在",
        rf"\b(?:moved|moving|relocat(?:ed|ing)|transplanted) (?:\w+ )?(?:to|into|in|out|back|over|house|here"
        rf"|down|up|away"
        rf"|from|across|abroad)\b|\b(?:have|has|'ve|'s|just|finally) moved\b"
        rf"|\bsettl(?:ed|ing) (?:\w+ )?(?:in|into|down)\b"
        rf"|\bnew (?:\w+ )?(?:{_DWELLING}|address|neighbou?rhood|landlord)\b|\bunpack(?:ed|ing)\b"
        rf"|\b(?:bought|closed on|got (?=an?|our own|my own)|found|rented|signed (?:a|the) lease (?:on|for))"
        rf" {_MY} (?:\w+ ){{0,2}}{_DWELLING}\b"
        rf"|\bkeys? (?:to|for|in|of)\b.{{0,30}}\b(?:{_DWELLING}|yesterday|today)|\bhanded (?:back|in|over) the keys"
        rf"|\bsold {_MY} (?:\w+ )?{_DWELLING}\b|\bleft {_NAME} (?:\w+ )?(?:for|behind)\b|\bstaying put\b"
        rf"|\bcall(?:ing)? "
        rf"{_NAME} home\b|\b(?:lives?|living) (?:\w+ )?(?:in|at|on|with) .{{1,40}} (?:now|these days)\b|\bnow lives?\b"
        rf"|\b(?:i'm|i am|we're|we are) a {_NAME} resident\b|\bpacked up\b|\b(?:swapped|traded) {_NAME} for\b"
        rf"|\bhome is\b.{{1,40}}\bnow\b|\bnow home\b|\bmy home now\b"
        rf"|\b(?:um|aus|ein|weg)?gezogen\b|\bumzug\b|\bneue wohnung\b|\b(?:wohn|leb)\w* (?:jetzt|inzwischen"
        rf"|mittlerweile|nun)\b|\b(?:jetzt|inzwischen|nun) (?:wohn|leb)(?:e|en|t)\b"
        rf"|\b(?:dé|em)ménag\w+\b|\binstallée?s?\b|\bj'habite (?:maintenant|désormais)\b|\bnouvel appart\w*"
        rf"|\b(?:mud\w+|mudanza|instalad\w+ en|piso nuevo|vivo ahora|ahora viv\w+)\b|搬到"
        rf"|搬去|搬家|搬进|搬来|接到.{{1,6}}住",
        "home_city",
    ),
    _t(
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
        rf"\b(?:quit|left|lost|changed|switched|started|start|starting|got|landed|accepted|took|found|resigned"
        rf" from|leaving)"
        rf" {_MY}? ?(?:\w+ ){{0,3}}(?:{_WORK}s?|work|company|firm|agency|school|office|startup|hospital)\b"
        r"|\b(?:quit|resigned|handed in (?:my|his|her) notice|gave (?:my )?notice|walked out of)\b"
        r"|\b(?:hired|fired|laid off|sacked|promoted|let me go|let go|made redundant|poached|head-?hunted|demoted)\b"
        r"|\b(?:got|given|offered|took) (?:\w+ )?promotion\b|\bretired|\bretirement\b|\bjoined (?:(?-i:[A-Z])\w+"
        r" (?:as|in|last|this|on)|(?:the|a|an)"
        r" (?:\w+ ){0,2}(?:company|firm|startup|agency|practice|staff|crew|faculty))|\b(?:went|gone|going)"
        r" (?:freelance|back to"
        r" (?:school|uni|university|work|teaching|nursing)|independent|solo)\b|\bgraduated\b|\b(?:first|last)"
        r" day (?:at|as|in)\b"
        rf"|\bnew (?:{_WORK}|employer|workplace)\b|\bstarted (?:at|with|as|my own|(?-i:[A-Z]))|\b(?:took|taking) over\b"
        r"|\bsigned the contract\b|\b(?:i'm|i am|he's|she's) the new \w+|\bset up (?:my|our) own\b|\bopened"
        r" (?:my|our) own\b|\b(?:working|work) (?:at|for|as) .{2,40} (?:now|these days)\b"
        r"|\bmade (?:me|him|her) (?:a |an |the )?(?:\w+ )?(?:manager|head|lead|partner|director|senior|permanent|chief)"
        r"|\b(?:i'm|i am|he's|she's) (?:now )?(?:an?|the) .{3,40} (?:now|these days)\b|\bback at work\b|\bcareer"
        r" change\b"
        r"|\bshut (?:up shop|down (?:my|our|the) (?:business|shop|company))\b|\bsold (?:the|my|our) (?:business"
        r"|company|shop"
        r"|bakery|restaurant|firm|practice)\b|\bstepped (?:down|back|up)\b|\bgot the (?:job|part|post)\b"
        r"|\b(?:gekündigt|befördert|neue stelle|neuer job|angefangen|in rente|pensioniert|arbeite jetzt|gewechselt)\b"
        r"|\b(?:démissionn\w+|embauch\w+|licenci\w+|nouveau (?:poste|boulot|travail|job)|promue?|repris le"
        r" (?:boulot|travail)"
        r"|retraite|commencé comme|changé de (?:boulot|travail|boîte))\b"
        r"|\b(?:me han cogido|me contrataron|me han contratado|despid\w+|ascend\w+|nuevo trabajo|empecé|jubil\w+"
        r"|dimit\w+"
        r"|cambié de trabajo|renuncié)\b|辞|跳槽|升职|升为|入职|退休|失业|被裁|转行|转正|新工作|找到工作|当上",
        "job_title employer",
    ),
    _t(
        "love",
        r"\b(?:single|dating|seeing|girlfriend|boyfriend|engaged|married|husband|wife|partner|fianc\w+|divorced"
        r"|separated"
        r"|widow(?:ed|er)?|together (?:with|for))\b|\b(?:ledig|verheiratet|verlobt|single|zusammen|freundin|freund)\b"
        r"|\b(?:célibataire|mariée?|en couple|copine|copain|mari|femme)\b|\b(?:solter[oa]|casad[oa]|novi[oa]"
        r"|saliendo)\b"
        r"|单身|女朋友|男朋友|结婚|老婆|老公|谈恋爱",
        r"\b(?:broke(?:n)? up|split up|separated|divorced?|divorcing|tied the knot|got (?:married|engaged"
        r"|hitched|together"
        r"|back together)|walked out|left me|dumped|called off|single again|newlyweds?|a couple now|eloped"
        r"|popped the question"
        r"|proposed|said yes|moved in together|no longer together|went our separate ways|called it quits|not"
        r" together)\b"
        r"|\b(?:have|has|got|there's|met) (?:an? )?(?:new )?(?:girlfriend|boyfriend|partner|someone)\b"
        r"|\b(?:ex|husband|wife|fianc\w+|girlfriend|boyfriend) now\b|\bnow (?:my|his|her) (?:ex|husband|wife"
        r"|fianc\w+)\b"
        r"|\b(?:am|'m|is|'s|are|'re) (?:\w+ )?(?:engaged|married|divorced|single) now\b|\bpassed away\b|\bwidowed\b"
        r"|\bstarted (?:dating|seeing)\b|\bmarried (?:last|in|on|this)\b|\bjust married\b"
        r"|\b(?:getrennt|geheiratet|verlobt|geschieden|schluss gemacht|wieder solo|wieder single)\b"
        r"|\b(?:séparée?s?|rompu|divorcée?s?|mariée?s? (?:samedi|en|le|hier)|fiancée?s?|quittée?s?|pacsée?s?)\b"
        r"|\b(?:cortó|cortamos|cortado|rompimos|roto|separad[oa]s?|divorciad[oa]s?|se casó|nos casamos|me casé"
        r"|casado)\b"
        r"|分手|离婚|结婚了|领证|订婚|在一起了|脱单",
        "marital_status spouse",
    ),
    _t(
        "name",
        r"\b(?:name(?:'s| is)|i'm called|go by|surname|last name|maiden|nickname)\b|\b(?:heiße|nachname|vorname)\b"
        r"|\bm'appelle\b|\bnom de famille\b|\bme llamo\b|\bapellido\b|我叫|名字|我姓",
        r"\b(?:took|taken|taking|kept|changed|changing|dropped|going back to|went back to|reverted to) (?:my|his"
        r"|her|our|the)"
        r" (?:\w+'?s? )?(?:\w+ )?(?:name|surname)\b|\bcall me\b|\b(?:go|goes|going) by\b|\bplease (?:write|use"
        r"|sign|spell)\b"
        r"|\bnew (?:last |sur)?name\b|\bname is .{2,30} now\b|\bdouble-barrell?ed\b|\bmaiden name\b|\bmädchennamen?\b"
        r"|\bheiße (?:jetzt|nun)\b|\bje signe\b|\bnom de jeune fille\b|\bm'appelle (?:maintenant|désormais)\b"
        r"|\bahora me llamo\b|改名|以后叫我|叫我",
        "name surname preferred_name",
    ),
    _t(
        "telephone",
        r"\b(?:phone|mobile|cell|telephone|whatsapp)(?: number)? ?(?:'s|is)\b|\bnumber is\b|\b(?:call|ring|text)"
        r" me (?:on|at)\b"
        r"|nummer (?:ist|lautet)\b|\b(?:mon|le) numéro\b|\bmi (?:número|móvil|teléfono|celular)\b|手机号|电话",
        r"\bnew (?:\w+ )?(?:phone|number|mobile|cell|sim)\b|\b(?:changed|switched|lost) (?:my |the )?(?:\w+"
        r" )?(?:number|provider"
        r"|carrier|sim)\b|\bnumber(?:'s| is| has)? (?:changed|different|dead|now)\b|\breach me (?:at|on|under)\b"
        r"|\bnumber is .{5,30} now\b|\bneue (?:handy|telefon)?nummer\b|\berreichbar (?:bin ich )?unter\b"
        r"|\banbieter gewechselt\b"
        r"|\b(?:changé de|nouveau) numéro\b|\b(?:cambié de|nuevo) (?:número|móvil)\b|换号|新号码|换了号码|换手机号",
        "phone",
    ),
    _t(
        "mail",
        r"\b(?:e-?mail|mail address|inbox)\b|@[\w-]+\.",
        r"\b(?:new|changed|closed|old) (?:my |the |that |our )?(?:\w+ )?(?:e-?mail|mailbox|inbox|mail address)\b"
        r"|\bmail(?:box)? .{0,30}(?:closed|gone|dead|anymore|any more|no longer)\b|@[\w.-]+ (?:now|instead|from now)\b"
        r"|\b(?:instead|now|from now on|please).{0,40}@|\bneue (?:e-?)?mail\b|\bnouvelle adresse\b|\bnuevo"
        r" correo\b|新邮箱",
    ),
    _t(
        "way to work",
        r"\b(?:cycles?|bikes?|walks?|drives?|commutes?|carpool|rides?|takes? the|get|by) (?:\w+ ){0,4}(?:to work"
        r"|to the office"
        r"|to the lab|into (?:town|the city|work)|to school|to campus|commute)\b|\bcommut\w+\b|\b(?:get|getting)"
        r" to work\b"
        r"|\bzur arbeit\b|\b(?:au|pour aller au) (?:travail|boulot|bureau)\b|\b(?:al|para ir al) (?:trabajo|curro)\b"
        r"|(?:开车|骑车|坐地铁|坐公交|走路|骑.{0,4}车).{0,3}上班",
        r"\bcommut(?:e|ing)\b|\bto work\b.{0,30}\b(?:now|these days|instead)\b|\b(?:now|these days).{0,30}\bto work\b"
        r"|\b(?:stole|stolen|sold|crashed|wrecked) (?:my|the) (?:\w+ )?(?:bike|bicycle|car|scooter)\b|\bsee?ason"
        r" ticket\b"
        r"|\bmonthly pass\b|\bjob ticket\b|\bzur arbeit\b.{0,30}\bjetzt\b"
        r"|\bjetzt\b.{0,40}\bzur arbeit\b|改坐|改骑|改开",
        "commute",
    ),
    _t(
        "diet",
        r"\b(?:vegan|vegetarian|pescatarian|meat|dairy|gluten|keto|paleo|low[- ]carb|halal|kosher|lactose"
        r"|carnivore|diet"
        r"|omnivore|fasting|eat (?:pretty much )?(?:anything|everything))\b|\bveg(?:an|etari)\w*\b|\bfleisch\b"
        r"|\bvégé\w+|\bviande\b"
        r"|\bcarne\b|吃素|素食|不吃肉|减肥",
        r"\b(?:went|gone|going|turned|became|been|gave up being|stopped being|not|no longer) (?:a |an )?(?:fully"
        r" |strictly )?"
        r"(?:vegan|vegetarian|pescatarian|keto|paleo|low[- ]carb|gluten[- ]free|carnivore|kosher|halal|veggie)\b"
        r"|\b(?:started|stopped|gave up|given up|quit|cut out|cutting out|back to|off|eliminated|reintroduced)"
        r" (?:eating |the )?"
        r"(?:\w+ )?(?:meat|dairy|fish|gluten|sugar|carbs|cheese|chicken|eggs|bread|keto|diet)\b"
        r"|\beat(?:s|ing)? (?:\w+ )?(?:meat|fish|dairy|bread|chicken|cheese|everything|anything|eggs|gluten)"
        r" (?:again|now)\b"
        r"|\b(?:am|'m|is|'s|are) (?:vegan|vegetarian|pescatarian|on keto|keto) (?:now|since|these days)\b"
        r"|\bpescatarian now\b"
        r"|\bwieder (?:fleisch|fisch)\b|\b(?:jetzt|inzwischen|seit \w+) veg\w+\b|\b(?:remange|recommencé à"
        r" manger|devenue?)\b"
        r"|\b(?:he vuelto a comer|vuelvo a comer|me hice|me he hecho)\b|改吃素|开始吃素|又吃肉|不吃素",
        "diet",
    ),
    _t(
        "alcohol",
        r"\b(?:drink(?:s|ing)?|alcohol\w*|beers?|wine|sober|whisk\w+|teetotal\w*|cocktails?)\b|\b(?:bier|wein"
        r"|alkohol)\b"
        r"|\b(?:alcool|bière|vin)\b|\b(?:cerveza|vino|alcohol)\b|喝酒|啤酒|白酒",
        r"\b(?:quit|stopped|gave up|given up|cut out|off) (?:the )?(?:drinking|alcohol|booze|beer|wine|drink)\b"
        r"|\bsober\b"
        r"|\bdry january\b|\bfell off the wagon\b|\bdrink(?:s|ing)? (?:\w+ ){0,5}again\b|\bteetotal\b|\bon the wagon\b"
        r"|\bhaven't (?:had a (?:drink|drop|beer)|touched a drop|drunk)\b|\bnot a drop\b|\btrinke? (?:keinen|nicht)\b"
        r"|\b(?:arrêté (?:l'alcool|de boire)|ne bois plus)\b|\b(?:dejé (?:de beber"
        r"|el alcohol)|ya no bebo)\b|戒酒|不喝酒了",
    ),
    _t(
        "smoking",
        r"\bsmok(?:e|es|ing|er)\b|\bcigar\w+\b|\bvap(?:e|ing|es)\b|\bpack a day\b|\brauch\w+\b|\bzigarett\w+\b"
        r"|\bje fume\b"
        r"|\bcigarettes?\b|\bclopes?\b|\bfum(?:o|as|ar|ando|ador)\b|抽烟|吸烟|包烟",
        r"\b(?:quit|stopped|gave up|given up|kicked|no longer|off) (?:the )?(?:smok\w+|cigarettes|vaping|habit)\b"
        r"|\bsmoke-?free\b|\b(?:started|back to|took up) (?:smoking|vaping)\b|\bsmoking again\b|\bhaven't"
        r" (?:smoked|had a"
        r" (?:cigarette|smoke))\b|\bex-smoker\b|\bnon-smoker\b|\brauch\w* nicht mehr\b|\baufgehört zu rauchen\b"
        r"|\bnichtraucher"
        r"|\b(?:arrêté de fumer|arrêté la clope|ne fume plus)\b|\b(?:sin fumar|dejé de fumar|dejado de fumar|ya"
        r" no fumo)\b"
        r"|戒烟|烟戒了|不抽(?:烟)?了",
    ),
    _t(
        "car",
        r"\b(?:drives? (?:an?|my|the|our)|(?:my|our) (?:\w+ )?(?:car|van|truck|motorbike|motorcycle|scooter"
        r"|bike) ?(?:'s|is)"
        r"|(?:have|own|ride) an? (?:\w+ ){0,3}(?:car|van|truck|motorbike|motorcycle|scooter|suv|hatchback|estate"
        r"|pickup))\b"
        r"|\bfahre (?:einen|ein|eine)\b|\bmein auto\b|\bje roule en\b|\bma voiture\b|\bmi coche\b|\bconduzco"
        r" un\b|我开的?是?|我的车",
        r"\b(?:bought|got|picked up|leased|ordered|driving) (?:an?|my|our|the) (?:\w+ )?(?:new |used "
        r"|second-?hand |electric )"
        r"(?:\w+ )?(?:car|van|truck|\w+)\b|\bsold (?:the|my|our) (?:\w+ )?(?:car|van|truck|motorbike|bike)\b"
        r"|\bnew (?:car|van|truck|motorbike|wheels|ride)\b|\b(?:totall?ed|written off|wrote off|scrapped|traded"
        r" in|traded)\b"
        r"|\bi drive an? .{2,30} now\b|\bneues auto\b|\bnouvelle voiture\b"
        r"|\b(?:coche nuevo|nuevo coche)\b|换车|新车|车卖",
        "drives",
    ),
    _t(
        "health",
        r"\b(?:cast|crutches|pregnant|injured|broken|sprained|torn|fractured|flu|in hospital|physio\w*"
        r"|recovering|chemo\w*"
        r"|wheelchair|braces|off work|off sick|sick leave|bedridden|quarantine|covid|pneumonia|undergoing"
        r"|treatment|dialysis"
        r"|insomnia|waiting list|wears? (?:contact lenses|glasses|a hearing aid|braces|an eye patch)|burn-?out"
        r"|migraines?|sling|splint|stitches)\b|\b(?:krankgeschrieben|gips|schwanger|im krankenhaus)\b"
        r"|\b(?:plâtre|enceinte|hospitalisée?|arrêt maladie|en arrêt|béquilles)\b|\b(?:escayola|embarazada|de"
        r" baja|hospital"
        r"|muletas)\b|住院|怀孕|骨折|请病假|感冒",
        r"\b(?:recovered|healed|all clear|cured|remission|discharged|gave birth|(?:cast|brace|stitches|splint"
        r"|boot|sling|braces)"
        r" (?:\w+ )?(?:off|out|gone)|(?:came|is|got it|taken|are) off|off the crutches|back (?:at|to) work|fully"
        r" fit|as good"
        r" as new|out of hospital|back on (?:my|his|her) feet|cleared (?:me|him|her)|back to (?:full )?health"
        r"|walking again"
        r"|running again|sleep(?:ing)? (?:\w+ )?through|symptom-free|pain-free|(?:was|were) born|she's here|he's"
        r" here|sleep(?:ing)? like a (?:baby|log)|got my new (?:hip|knee|heart|kidney)|walking without"
        r"|operated|lasered|surgery went|baby (?:is here|was born|arrived)"
        r"|finished (?:\w+ )?(?:treatment|chemo\w*|physio\w*|radiation))\b"
        r"|\b(?:wieder gesund|entlassen|gips ab|genesen|wieder fit|entbunden)\b"
        r"|\b(?:guérie?|rétablie?|repris le (?:boulot|travail)|sortie? de l'hôpital|accouché|plâtre enlevé)\b"
        r"|\b(?:recuperad[oa]|alta|di a luz|dio a luz|me quitaron (?:el yeso|la escayola|los puntos)|sin muletas"
        r"|curad[oa])\b|出院|康复|痊愈|病好|生了|拆石膏",
    ),
    _t(
        "pets",
        r"\b(?:no pets|(?:don't|do not|never|can't) (?:have|own|keep|had) (?:any )?(?:pets?|a (?:dog|cat)"
        r"|animals))\b|没养宠物",
        r"\b(?:adopted|got|rescued|bought|have|there's|welcomed|picked up) (?:ourselves |myself )?(?:an?|our"
        r"|the) (?:\w+ ){0,3}(?:pupp(?:y|ies)|dog"
        r"|cat|kitten|hamster|rabbit|parrot|guinea pig|terrier|retriever|beagle|spaniel|tabby|budgie|tortoise)\b"
        r"|领养了|养了一",
    ),
    _t(
        "brothers and sisters",
        r"\b(?:only child|no siblings|einzelkind|(?:fils|fille) unique|hij[oa] únic[oa])\b|独生",
        r"\b(?:half-?(?:brother|sister|sibling)|(?:baby|new|long-lost) (?:brother|sister|sibling))\b",
    ),
    _t(
        "children",
        r"\b(?:(?:have|has|got|raise|raising|with|of) (?:\w+ )?(?:one|two|three|four|five|no|\d) (?:\w+"
        r" )?(?:kids?|children|sons?"
        r"|daughters?|girls|boys)|childless|expecting|pregnant|only child|no (?:kids|children) yet|trying for a"
        r" baby)\b",
        r"\b(?:gave birth|baby (?:was born|arrived|is here|came)|had (?:a|our|the|her) (?:\w+ )?baby|new ?born"
        r"|our (?:second"
        r"|third|fourth|fifth|first) (?:child|baby|kid|son|daughter)?(?: was| is| arrived|,)|welcomed (?:a|our)"
        r"|(?:daughter"
        r"|son|twins) (?:was|were) born|became (?:a )?(?:parents?|mum|mom|dad|father|mother)s?|(?:twins|baby)"
        r" (?:were|was) born"
        r"|expecting (?:a|our|number|twins)|number (?:two|three|four|five) (?:arrived|is here|was born)|was born"
        r"|are born|she's here|he's here"
        r"|(?:now|with) (?:my|our) (?:two|three|four|five|six) (?:kids|children))\b",
        "children_count",
    ),
    _t(
        "study",
        r"\b(?:studying|studies|student|degree|majoring|major in|semester|thesis|dissertation|phd|apprentice\w*"
        r"|freshman"
        r"|sophomore|undergrad\w*|bachelor'?s?|master'?s|grad school|(?:first|second|third|final|last) year"
        r" (?:of|at)|school"
        r"|kindergarten|nursery|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth) grade|year \d+)\b"
        r"|\b(?:studier\w+|klasse|kita|kindergarten|ausbildung)\b|\b(?:étudi\w+|fac|cm[12]|ce[12]|cp|sixième"
        r"|lycée|collège"
        r"|licence|master)\b|\b(?:estudi\w+|carrera|instituto|primaria|eso"
        r"|bachillerato)\b|大[一二三四]|[一二三四五六]年级"
        r"|幼儿园|读研|专业",
        r"\b(?:graduated|dropped out|(?:finished|completed|submitted|defended|passed|handed in) (?:my|the|her"
        r"|his) (?:\w+ )?"
        r"(?:degree|thesis|dissertation|studies|phd|apprenticeship|exams?|bachelor\w*|master\w*|viva|finals|bar)"
        r"|(?:switched|changed|swapped) (?:my |her |his )?(?:majors?|courses?|degrees?|subjects?|schools?)"
        r"|transferred|enroll?ed|started (?:uni\w*|college|(?:big |high |primary |secondary |middle |nursery"
        r" )?school|year \d+"
        r"|kindergarten|(?:\w+ )?grade|reception)|moved up (?:to|a)|(?:is|'s) in (?:year|grade) \d+ now|doctor"
        r" now|got (?:my|her|his)"
        r" (?:degree|diploma|doctorate)|off to (?:uni\w*|college))\b"
        r"|\b(?:eingeschult|abi(?:tur)? (?:bestanden|geschafft)|abgeschlossen|abgebrochen|studium geschmissen"
        r"|versetzt)\b"
        r"|\b(?:entrer en|entrée? en|passée? en|diplômée?|soutenu|changé de fac)\b|\b(?:me gradué|terminé la"
        r" carrera|ha empezado"
        r"|pasó a|he pasado a|defendí)\b|毕业|升[到上]|考上|转专业|上小学|上初中|上高中|上大学",
        "studies",
    ),
    _t(
        "boss",
        r"\b(?:boss|manager|supervisor|team lead|line manager|report to|reports to|advisor|adviser)\b|\bchef(?:in)?\b"
        r"|\bvorgesetzte\w*\b|\b(?:mon|ma) (?:chef(?:fe)?|patronn?e?|responsable)\b|\bmi jef[ea]\b|领导|老板|上司|经理",
        r"\bnew (?:boss|manager|supervisor|team lead|line manager|head)\b|\b(?:report|reporting|answer|reports)"
        r" to .{2,30}"
        r"(?:now|these days|instead|from now)\b|\bi (?:now )?(?:report|answer) to\b|\btook over (?:from|as)\b"
        r"|\breplaced\b"
        r"|\bneue[rn]? chef|\büber mir\b|\b(?:nouveau|nouvelle) (?:chef|cheffe|patron\w*|responsable)\b|\bahora"
        r" mi jef[ea]\b"
        r"|\bnuev[oa] jef[ea]\b|新领导|新老板|换了?领导|换了?老板",
        "manager",
    ),
    _t(
        "rent",
        r"\brent (?:is|of|costs|comes)\b|\b(?:pay|paying) .{1,30}(?:rent|a month|per month)\b|\bmiete\b"
        r"|\bloyer\b|\balquiler\b|房租",
        r"\brent (?:\w+ )?(?:went|goes|is going|up|increase\w*|hike|has gone)\b|\b(?:put|raised|lowered|upped"
        r"|jacked|cut)"
        r" (?:\w+ )?(?:our |my |the )?rent\b|\bwe pay\b.{1,30}\b(?:now|from|since)\b|\bmieterhöhung\b|\bmiete"
        r" (?:\w+ )*(?:erhöht"
        r"|gestiegen)\b|\brévision de l'indice\b|\bje paie\b.{1,30}\bdepuis\b|\bme (?:suben|subieron|han"
        r" subido)\b|涨房?[价租]|房租涨",
    ),
    _t(
        "kept where",
        r"\b(?:hosted|host|deployed?|runs?|lives?|stored?|kept|keep|served|hébergé|gehostet|liegt|liegen"
        r"|alojad[oa]|tenemos|放在|部署)\b",
        r"\b(?:migrated|moved|switched) (?:\w+ ){0,4}(?:to|from|off|over)\b|\b(?:on a quitté|tout tourne|tout"
        r" est passé|migré)\b"
        r"|\b(?:umgezogen|migriert|liegen? (?:jetzt|alle))\b|\b(?:pasamos todo\w*|migramos|movimos)\b|迁到|搬到|迁移",
    ),
    _t(
        "pay",
        r"\b(?:charge|rate|salary|earn|make|wage|fee|day rate|paid)\b|\b(?:gehalt|verdiene|stundensatz)\b"
        r"|\b(?:salaire|je gagne"
        r"|tarif)\b|\b(?:sueldo|gano|cobro|tarifa)\b|工资|月薪|时薪|年薪",
        r"\b(?:raise|pay rise|put (?:my|our) (?:rates?|prices?|fees?) up|raised (?:my|our) (?:rates?|prices?"
        r"|fees?)|upped my"
        r"|charge .{1,30} (?:now|from now)|now (?:charge|earn|make)|bumped (?:me|my|us) (?:up )?to|pay cut"
        r"|salary (?:\w+ )?(?:went|increase\w*|review))\b|\bgehaltserhöhung\b|\baugment\w+\b|\b(?:me subieron|me"
        r" han subido)\b|涨工资|加薪",
        "hourly_rate",
    ),
    _t(
        "weight",
        r"\bweigh(?:s|ing)?\b|\bkilos?\b|\bkg\b|\bpounds\b|\bstone\b|\bwiege\b"
        r"|\bje (?:pèse|fais)\b|\bpeso\b|体重|公斤|斤",
        r"\b(?:scales?|lost|gained|put on|shed|dropped|weighed|weigh in|down to|up to) .{0,20}(?:kilos?|kg"
        r"|pounds|lbs|stone)?\b"
        r"|\bzugenommen\b|\babgenommen\b|\b(?:perdu|pris) .{1,8} kilos\b|\b(?:perdido|engordado|adelgaz\w+)\b|瘦到"
        r"|胖到|瘦了|胖了",
        "weight",
    ),
    _t(
        "age",
        r"\b(?:i'm|i am|user is|he's|she's|is|am) (?:\d{1,2}|(?:twenty|thirty|forty|fifty|sixty|seventy"
        r"|eighty)(?:-\w+)?)"
        r"(?: years old)?(?=$|[.,!]| and\b)|\byears old\b|\bich bin \d{1,2}\b|\bj'ai \d{1,2} ans\b|\btengo"
        r" \d{1,2} años\b|我?今年.{1,4}岁?",
        r"\b(?:turned|turning|just turned) (?:\d{1,2}|twenty|thirty|forty|fifty|sixty|seventy)(?!\w)"
        r"|\bcelebrated my \d\w+\b"
        r"|\b\w+(?:th|st|nd|rd) birthday\b|\b\d{1,2} geworden\b|\bfêté mes\b|\bcumplí\b|\bhe cumplido\b|满.{1,4}岁",
        "age",
    ),
    _t(
        "team and project",
        r"\b(?:team|squad|project|department|committee|board|rota|account|client)\b",
        r"\b(?:moved|switched|transferred|reassigned|rotated|assigned|put me|put us|loaned|seconded) (?:\w+"
        r" )?(?:to|on|onto"
        r"|over to|off)\b|\bleft the (?:team|project|board|committee)\b|\bnew (?:team|project|department)\b"
        r"|\bproject (?:\w+ )?(?:wrapped|finished|cancelled|killed|shelved|shipped|ended|done)\b",
        "project team",
    ),
    _t(
        "time zone",
        r"\btime ?zone\b|\b(?:eastern|central|mountain|pacific|gmt|utc|cet|est|pst|bst) ?(?:time)?\b",
        r"\b(?:on|in|to) (?:eastern|central|mountain|pacific|gmt|utc|cet|bst|uk|indian?|japan|central european) time\b"
        r"|\btime zone (?:is|has|changed)\b|\b(?:eastern|central|mountain|pacific) time now\b",
        "time_zone",
    ),
    _t(
        "journey",
        r"\b(?:fly(?:ing)? to|trip to|travell?ing to|holiday in|vacation in|(?:are|am|'re|'m|is) going to"
        r" (?-i:[A-Z])|visiting (?-i:[A-Z])|road trip"
        r"|cruise|honeymoon|booked .{2,30}(?:flight|hotel|ferry|train|trip)|backpacking)\b|\bflieg(?:e|en)\b"
        r"|\burlaub\b|\breise\w*\b"
        r"|\b(?:on part|nous partons|je pars|vacances|voyage)\b|\b(?:vamos a|viaj\w+|vacaciones)\b|打算去"
        r"|去.{1,8}(?:玩|旅游)|机票",
        r"\b(?:trip|flight|holiday|vacation|cruise|tour|journey|honeymoon|booking)(?:'s| is| was| has been|"
        r" got)? (?:\w+ )?(?:off|cancelled|canceled"
        r"|called off|postponed|rebooked)\b|\b(?:cancelled|canceled|called off|scrapped) (?:the|our|my) (?:\w+"
        r" )?(?:trip|flight|holiday|vacation"
        r"|cruise|tour|honeymoon|plans|booking)\b|\bnot going (?:after all|any ?more)\b|\bstay(?:ing)? (?:at"
        r" )?home instead\b|\bchange of plans?\b"
        r"|\binstead we're (?:going|driving|flying)\b|\bgoing to .{2,30} instead\b|\b(?:flug|reise|urlaub"
        r"|buchung)\b.{0,30}\b(?:storniert|abgesagt"
        r"|geplatzt)\b|\b(?:annulé|tombé à l'eau)\b|\b(?:anulad[oa]|hemos anulado|cancelado) (?:el|la|lo|las)\b"
        r"|不去了|去不了|退了.{0,4}票",
    ),
    _t(
        "hair",
        r"\bhair\b|\bbeard\b|\bbald\b|\bblonde?\b|\bmoustache\b|\bdreadlocks\b|\bhaare\b|\bcheveux\b|\bpelo\b|头发",
        r"\b(?:cut|dyed|shaved|grew|chopped|bleached|coloured|colored|buzzed) (?:\w+ )?(?:my|his|her|it|all)\b"
        r"|\bnew haircut\b"
        r"|\bgone grey\b|剪短|染成|剃",
    ),
    _t(
        "answers",
        r"\b(?:answers?|replies|reply|respond|responses?|explanations?|explain|messages|write to me|talk to me"
        r"|summaries"
        r"|suggestions|feedback|commit messages|comments)\b|\b(?:antwort\w*|réponses?|répon\w+|respuestas?"
        r"|respond\w*)\b|回答|回复",
        r"\bfrom (?:now|here|today) on\b|\binstead\b|\b(?:no|don't|stop|skip|drop|quit) .{2,60}\b(?:any ?more"
        r"|any longer|please)\b"
        r"|\bnot .{2,30} any ?more\b|\bno longer\b|\bstop (?:using|writing|giving|adding|putting|sending)\b|\bno more\b"
        r"|\bi(?:'ve| have) changed my mind\b|\bab (?:jetzt|sofort)\b|\bdésormais\b|\bà partir de maintenant\b"
        r"|\ba partir de ahora\b"
        r"|\bde ahora en adelante\b|以后|从现在起",
    ),
)


@lru_cache(maxsize=4096)
def states(text: str, attribute: str | None) -> frozenset[str]:
    """Give the themes of which a row says what holds."""
    return frozenset(t.name for t in THEMES if (attribute in t.attributes) or t.state.search(text))


def turns(text: str) -> frozenset[str]:
    """Give the themes that a statement says to be otherwise now."""
    return frozenset(t.name for t in THEMES if t.turn.search(text))


_NO_WORD: Final = re.compile(r"\\[a-zA-Z]|\(\?[-a-z:!=<]*|[|()?:\\\[\]{}*=+!<^$.,]|\d")


@lru_cache(maxsize=256)
def terms_of_themes(names: frozenset[str]) -> frozenset[str]:
    """Give the terms by which rows of some themes are found in the store."""
    listed = " ".join(_NO_WORD.sub(" ", t.state.pattern) for t in THEMES if t.name in names)
    return frozenset(term for term in query_terms(listed) if len(term) > 2) if listed else frozenset()

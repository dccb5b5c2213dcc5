"""Themes of body, habits and plans, as data; see `themes`."""

from __future__ import annotations

from typing import Final

from app.domain.theme import theme

MORE: Final = (
    theme(
        "diet",
        r"\b(?:vegan|vegetarian|pescatarian|meat|dairy|gluten|keto|paleo|low[- ]carb|halal|kosher|lactose"
        r"|carnivore|diet"
        r"|omnivore|fasting|eat (?:pretty much )?(?:anything|everything))\b|\bveg(?:an|etari)\w*\b|\bfleisch\b"
        r"|\bvégé\w+|\bviande\b"
        r"|\bcarne\b|吃素|素食|不吃肉|减肥",
        r"\b(?:went|gone|going|turned|became|been|gave up being|stopped being|not|no longer) (?:a |an )?(?:fully"
        r" |strictly )?"
        r"(?:vegan|vegetarian|pescatarian|keto|paleo|low[- ]carb|gluten[- ]free|carnivore|kosher|halal|veggie)\b"
        r"|\bi(?:'ve| have)? (?:\w+ )?(?:started|stopped|gave up|given up|quit|cut out|eliminated|reintroduced)"
        r" (?:eating )?(?:meat|being vegan|being vegetarian|keto)\b"
        r"|\beat(?:s|ing)? (?:\w+ )?(?:meat|fish|dairy|bread|chicken|cheese|everything|anything|eggs|gluten)"
        r" (?:again|now)\b"
        r"|\b(?:am|'m|is|'s|are) (?:vegan|vegetarian|pescatarian|on keto|keto) (?:now|since|these days)\b"
        r"|\bpescatarian now\b"
        r"|\bwieder (?:fleisch|fisch)\b|\b(?:jetzt|inzwischen|seit \w+) veg\w+\b|\b(?:remange|recommencé à"
        r" manger|je suis devenue?) (?:de la viande|du poisson|végéta\w+|végane?|vegan)\b"
        r"|\b(?:he vuelto a comer|vuelvo a comer) (?:carne|pescado)|\bme (?:hice|he hecho) veg\w+\b"
        r"|改吃素|开始吃素|又吃肉|不吃素",
        "diet",
    ),
    theme(
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
    theme(
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
    theme(
        "car",
        r"\b(?:drives? (?:an?|my|the|our)|(?:my|our) (?:\w+ )?(?:car|van|truck|motorbike|motorcycle|scooter"
        r"|bike) ?(?:'s|is)"
        r"|(?:have|own|ride) an? (?:\w+ ){0,3}(?:car|van|truck|motorbike|motorcycle|scooter|suv|hatchback|estate"
        r"|pickup))\b"
        r"|\bfahre (?:einen|ein|eine)\b|\bmein auto\b|\bje roule en\b|\bma voiture\b|\bmi coche\b|\bconduzco"
        r" un\b|我开的?是?|我的车",
        r"\b(?:bought|got|picked up|leased) (?:a|an|my|our) (?:new |used |second-?hand |electric )"
        r"(?:car|van|truck|suv|motorbike)(?=$|[,.!;]| (?:yesterday|today|last|this|in|on|instead|now)\b)"
        r"|\bsold (?:the|my|our) (?:car|van|truck|motorbike)(?=$|[,.!;]| (?:yesterday|today|last|this|in|on|to|for)\b)"
        r"|\b(?:totall?ed|wrote off|scrapped|traded in) (?:the|my|our) (?:car|van|truck|motorbike)\b"
        r"|\bi drive an? .{2,30} now\b|\bauto verkauft\b|\bvendu ma voiture\b"
        r"|\bvendí (?:el|mi) coche\b|我.{0,4}(?:换了?车(?!的)|车卖)",
        "drives",
    ),
    theme(
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
    theme(
        "boss",
        r"\b(?:boss|manager|supervisor|team lead|line manager|report to|reports to|advisor|adviser)\b|\bchef(?:in)?\b"
        r"|\bvorgesetzte\w*\b|\b(?:mon|ma) (?:chef(?:fe)?|patronn?e?|responsable)\b|\bmi jef[ea]\b|领导|老板|上司|经理",
        r"\b(?:i|we) (?:have|got|'ve got) a new (?:boss|manager|supervisor|team lead|line manager)(?=$|[,.!;:]"
        r"| called\b| named\b)"
        r"|\bmy new (?:boss|manager|supervisor|team lead) is\b|\b(?:report|reporting|answer|reports)"
        r" to .{2,30}"
        r"(?:now|these days|instead|from now)\b|\bi now (?:report|answer) to\b"
        r"|\bneue[rn]? chef|\büber mir\b|\b(?:nouveau|nouvelle) (?:chef|cheffe|patron\w*|responsable)\b|\bahora"
        r" mi jef[ea]\b"
        r"|\bnuev[oa] jef[ea]\b|新领导|新老板|换了?领导|换了?老板",
        "manager",
    ),
    theme(
        "rent",
        r"\brent (?:is|of|costs|comes)\b|\b(?:pay|paying) .{1,30}(?:rent|a month|per month)\b|\bmiete\b"
        r"|\bloyer\b|\balquiler\b|房租",
        r"\b(?:my|our|the) rent (?:\w+ )?(?:went|goes|is going|has gone) (?:up|down) (?:to|from)\b"
        r"|\b(?:raised|lowered|upped) (?:our|my) rent\b|\bmieterhöhung\b|\bmiete"
        r" (?:\w+ )*(?:erhöht"
        r"|gestiegen)\b|\brévision de l'indice\b|\bje paie\b.{1,30}\bdepuis\b|\bme (?:suben|subieron|han"
        r" subido)\b|涨房?[价租]|房租涨",
    ),
    theme(
        "pay",
        r"\b(?:charge|rate|salary|earn|make|wage|fee|day rate|paid)\b|\b(?:gehalt|verdiene|stundensatz)\b"
        r"|\b(?:salaire|je gagne"
        r"|tarif)\b|\b(?:sueldo|gano|cobro|tarifa)\b|工资|月薪|时薪|年薪",
        r"\b(?:i|we) (?:\w+ )?got a (?:\w+ )?(?:raise|pay rise)\b|\b(?:put (?:my|our) (?:rates?|prices?"
        r"|fees?) up|raised (?:my|our) (?:rates?|prices?"
        r"|fees?)|upped my"
        r"|charge .{1,30} (?:now|from now)|now (?:charge|earn|make)|bumped (?:me|my|us) (?:up )?to"
        r"|my salary (?:\w+ )?(?:went|increased))\b|\bgehaltserhöhung\b|\baugment\w+\b|\b(?:me subieron|me"
        r" han subido) el sueldo\b|涨工资|加薪",
        "hourly_rate",
    ),
    theme(
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
    theme(
        "time zone",
        r"\btime ?zone\b|\b(?:eastern|central|mountain|pacific|gmt|utc|cet|est|pst|bst) ?(?:time)?\b",
        r"\b(?:on|in|to) (?:eastern|central|mountain|pacific|gmt|utc|cet|bst|uk|indian?|japan|central european) time\b"
        r"|\btime zone (?:is|has|changed)\b|\b(?:eastern|central|mountain|pacific) time now\b",
        "time_zone",
    ),
    theme(
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
    theme(
        "answers",
        r"\b(?:answers?|replies|reply|respond|responses?|explanations?|explain|messages|write to me|talk to me"
        r"|summaries"
        r"|suggestions|feedback|commit messages|comments)\b|\b(?:antwort\w*|réponses?|répon\w+|respuestas?"
        r"|respond\w*)\b|回答|回复",
        r"\b(?:answer|reply|respond|write|explain|talk to me)\b.{2,60}\b(?:from (?:now|here|today) on|instead)\b"
        r"|\bfrom (?:now|here|today) on,? (?:please )?(?:answer|reply|respond|write|explain|give|keep|use)\b"
        r"|\b(?:stop|don't) (?:using|writing|giving|adding|putting|sending)\b.{2,40}\b(?:answers?|replies"
        r"|messages|summaries)\b"
        r"|\bab (?:jetzt|sofort)\b.{0,20}\b(?:antwort\w*|schreib\w*)|\b(?:désormais"
        r"|à partir de maintenant)\b.{0,20}\brépon\w+"
        r"|\b(?:a partir de ahora|de ahora en adelante)\b.{0,20}\brespond\w+|(?:以后|从现在起).{0,10}(?:回答|回复)",
    ),
)

"""The word classes of `gate_cues` in other languages; a word that English has as well is left out.

Chinese words are found in running text, the longest first. A language is added by a row of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FOREIGN: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {
        "i": "ich mir mich",
        "my": "mein meine meinen meinem meiner meines",
        "we": "wir uns unser unsere unseren unserem unserer",
        "you": "du dir dich dein deine deinen deinem ihr euch euer eure sie",
        "they": "er ihm ihn ihnen seine seinen seinem",
        "it": "es das dies diese dieser dieses da dort hier",
        "kin": "mama papa mutter vater schwester bruder frau mann ehemann sohn tochter kind kinder baby "
        "freundin freund freunde partnerin tante onkel cousine neffe nichte oma opa eltern familie zwillinge "
        "chef chefin kollege kollegin kollegen nachbar nachbarin trainer lehrer lehrerin hund katze kater "
        "schwiegermutter schwiegervater",
        "time": "montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs "
        "donnerstags freitags samstags sonntags januar februar märz juni juli oktober dezember morgen gestern "
        "woche wochenende monat jahr wochen monate jahre frühling herbst weihnachten ostern geburtstag letzte "
        "letzten letztes nächste nächsten nächstes vor seit bis",
        "now": "jetzt heute gerade eben moment minute gleich abend nachmittag momentan vorhin",
        "habit": "immer nie jeden jede jedes meistens normalerweise oft täglich manchmal selten grundsätzlich",
        "be": "bin ist sind seid war waren gewesen",
        "have": "habe hab haben hatte hatten bekomme bekommen",
        "past": "ging gegangen gekauft gesehen getroffen gemacht gefahren geflogen gewonnen verloren "
        "gefunden gegeben verkauft gestartet umgezogen gezogen bestanden gekündigt angefangen bekam wurde "
        "geworden geschrieben gelesen",
        "future": "werde werden wird",
        "could": "würde würden könnte könnten sollte sollten muss müssen kann können darf",
        "hedge": "vielleicht wahrscheinlich eventuell möglicherweise überlege glaub glaube vermutlich wohl "
        "evtl unsicher",
        "if": "wenn falls angenommen stell wäre hätte",
        "wish": "möchte hoffe plane ziel traum wünsche",
        "taste": "liebe mag lieber lieblings hasse bevorzuge gerne gern liebste lieblingsessen verabscheue",
        "lasting": "arbeite arbeitet wohne wohnt lebe lebt studiere studiert nutze nutzen benutze verwende "
        "spiele spielt fahre besitze leite spreche spricht trinke esse koche",
        "praise": "danke super toll cool schön klasse genial perfekt wow glückwunsch hallo hi tschüss okay "
        "klar genau stimmt ja prima haha gut",
        "feeling": "müde hungrig traurig wütend gestresst froh glücklich kaputt krank kalt",
        "not": "nicht kein keine keinen keinem keiner nichts niemals ohne",
        "asking": "was wer wo wann warum wieso wie welche welcher welches wohin woher",
        "request": "erkläre erklär schreib schreibe zeig zeige gib hilf fasse übersetze mach erstelle nenne schick",
        "manner": "antworte antworten antwort kurz stichpunkte ton emojis förmlich sprache deutsch nenn "
        "duze siezen duzen",
        "health": "allergisch allergie laktose laktoseintolerant diabetes schwanger vegan veganerin "
        "vegetarisch vegetarierin vegetarier zöliakie asthma migräne medikamente diagnostiziert blutdruck",
        "task": "funktion fehler ausgabe zeile datei frage beispiel ergebnis absatz kapitel aufgabe folie spalte",
        "told": "sagt sagte meinte gesagt witz scherz",
        "fiction": "roman figur held heldin geschichte szene gedicht film krimi",
    },
    "fr": {
        "i": "je j'ai j'aime j'habite j'utilise j'adore j'étais j'avais j'en j'y moi m'a",
        "my": "mon ma mes",
        "we": "nous notre nos",
        "you": "tu te toi ton ta tes vous votre vos t'es",
        "they": "il elle ils elles lui leur leurs",
        "it": "ça c'est cela ce cette ces c'était ici là",
        "kin": "maman papa mère père soeur sœur frère mari femme fils fille enfant enfants bébé copine "
        "copain ami amie amis tante oncle cousin cousine neveu nièce mamie papi grand-mère parents famille "
        "jumeaux patron patronne collègue collègues voisin voisine prof chien chat beau-frère belle-mère",
        "time": "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin "
        "juillet août septembre octobre novembre décembre demain hier semaine week-end mois an ans année "
        "années printemps été automne hiver noël pâques anniversaire dernier dernière prochain prochaine "
        "depuis jusqu'à",
        "now": "maintenant aujourd'hui actuellement moment minute matin soir tantôt instant",
        "habit": "toujours jamais chaque souvent quotidiennement d'habitude généralement parfois rarement tous",
        "be": "suis est es sommes êtes sont étais était étaient",
        "have": "ai as a avons avez ont avais avait eu",
        "past": "allé allée acheté vu rencontré fait pris venu parti gagné perdu trouvé donné vendu "
        "déménagé commencé réussi raté signé fini quitté obtenu eu passé reçu inscrit",
        "future": "vais va allons vont serai sera aura",
        "could": "pourrais pourrait devrais devrait dois doit peux peut faudrait aimerais voudrais",
        "hedge": "peut-être probablement sûrement j'hésite j'envisage pense crois suppose sais",
        "if": "si imaginons imagine supposons serait aurais étais",
        "wish": "veux souhaite espère rêve objectif compte prévois",
        "taste": "aime adore déteste préfère préféré préférée horreur fan",
        "lasting": "travaille habite vis vit étudie utilise joue conduis dirige parle parlons bois mange cuisine bosse",
        "praise": "merci super génial cool parfait bravo félicitations bonjour salut bonsoir ok d'accord "
        "exactement oui haha top magnifique",
        "feeling": "fatigué fatiguée faim triste énervé stressé content contente crevé crevée malade froid",
        "not": "pas ne n'ai n'est n'aime n' plus rien aucun aucune sans",
        "asking": "que quoi qui où quand pourquoi comment quel quelle quels quelles combien est-ce qu'est-ce",
        "request": "explique écris montre donne aide résume traduis fais crée liste envoie renvoie corrige",
        "manner": "réponds répondre réponse réponses bref court courte puces ton emojis formel tutoie "
        "vouvoie appelle-moi français",
        "health": "allergique allergie intolérant intolérante diabète diabétique enceinte végane végétarien "
        "végétarienne coeliaque asthme migraine médicament traitement",
        "task": "fonction erreur ligne fichier question exemple résultat paragraphe chapitre exercice colonne",
        "told": "dit disait blague rigole",
        "fiction": "roman personnage héros héroïne histoire scène poème film",
    },
    "es": {
        "i": "yo mí conmigo",
        "my": "mi mis mío mía",
        "we": "nosotros nosotras nuestro nuestra nuestros nuestras nos",
        "you": "tú te ti tu tus usted ustedes os vuestro",
        "they": "él ella ellos ellas su sus les",
        "it": "eso esto esta este ese esa estos estas ahí aquí",
        "kin": "mamá papá madre padre hermana hermano esposa esposo marido mujer hijo hija hijos hijas niño "
        "niños bebé novia novio amigo amiga amigos tía tío prima primo sobrino sobrina abuela abuelo padres "
        "familia gemelos jefe jefa colega compañero compañera vecino vecina profe perro perra gato gata "
        "suegra suegro cuñado",
        "time": "lunes martes miércoles jueves viernes sábado sábados domingo domingos enero febrero marzo "
        "abril mayo junio julio agosto septiembre octubre noviembre diciembre mañana ayer semana finde mes "
        "año años meses semanas primavera verano otoño invierno navidad cumpleaños pasado pasada próximo "
        "próxima desde hasta hace",
        "now": "ahora hoy momento minuto tarde noche rato ahorita ya",
        "habit": "siempre nunca cada normalmente suelo todos diario veces raramente",
        "be": "soy es eres somos son era eran estoy está están estaba",
        "have": "tengo tiene tenemos tienen tenía he ha hemos han",
        "past": "fui fue compré vi conocí hice tomé vine salí gané perdí encontré di vendí mudé empecé "
        "aprobé suspendí firmé terminé dejé nació casé murió ganó empezó compramos fuimos",
        "future": "voy vamos van será seré iré",
        "could": "podría debería puedo puede debo gustaría quisiera haría",
        "hedge": "quizá quizás tal capaz probablemente creo supongo acaso seguramente pensando",
        "if": "si imagina supongamos fuera tuviera hubiera sería",
        "wish": "quiero espero deseo sueño meta objetivo pienso planeo",
        "taste": "encanta encantan gusta gustan odio prefiero favorito favorita detesto fan",
        "lasting": "trabajo trabaja vivo vive estudio estudia uso usamos juego juega conduzco manejo hablo "
        "habla bebo como cocino toco dirijo",
        "praise": "gracias genial guay perfecto felicidades enhorabuena hola buenas ok vale claro exacto sí "
        "jaja bien estupendo",
        "feeling": "cansado cansada hambre triste enfadado estresado estresada contento contenta enfermo frío sueño",
        "not": "no nada ningún ninguna sin tampoco",
        "asking": "qué quién dónde cuándo cómo cuál cuáles cuánto cuánta cuántos",
        "request": "explica escribe muestra dame ayuda ayúdame resume traduce haz crea lista pásame corrige manda",
        "manner": "responde contesta respuestas respuesta breve corto tono emojis formal tutéame llámame español",
        "health": "alérgico alérgica alergia intolerante diabetes diabético embarazada vegano vegana "
        "vegetariano vegetariana celíaco celíaca asma migraña pastillas medicamento",
        "task": "función línea archivo pregunta ejemplo resultado párrafo capítulo ejercicio columna código",
        "told": "dijo dice broma chiste",
        "fiction": "novela personaje protagonista cuento escena poema película",
    },
    "zh": {
        "i": "我 本人 俺",
        "my": "我的 我家 我妈 我爸",
        "we": "我们 咱们 我們 咱",
        "you": "你 您 你们 你的 您的",
        "they": "他 她 他们 她们 他的 她的",
        "it": "这个 那个 这 那 這 這個",
        "kin": "姑姑 舅舅 伯伯 表姐 表哥 表弟 表妹 堂哥 婆婆 公公 岳父 岳母 嫂子 侄子 外甥 孙子 孙女 闺女 "
        "双胞胎 师傅 教练 大夫 医生 客户 组长 班主任 导师 对象 "
        "妈妈 爸爸 妈 爸 姐姐 哥哥 弟弟 妹妹 老婆 老公 太太 先生 儿子 女儿 孩子 宝宝 女朋友 男朋友 "
        "女友 男友 朋友 阿姨 叔叔 奶奶 爷爷 外婆 外公 父母 家人 同事 老板 领导 邻居 老师 室友 猫 狗 媳妇",
        "time": "昨晚 前天 前年 上午 月底 年底 年初 周末 这周 本周 上星期 下星期 这个月 小时候 春天 夏天 "
        "秋天 冬天 中秋 国庆 元旦 寒假 岁 "
        "周一 周二 周三 周四 周五 周六 周日 星期 明天 昨天 后天 下周 上周 下个月 上个月 明年 去年 "
        "今年 年 月 号 天前 以来 从 生日 春节 暑假",
        "now": "这会儿 眼下 此刻 正在 排队 在等 快到 待会 回头 "
        "现在 今天 刚刚 刚才 马上 等一下 今晚 早上 晚上 正在 一会儿 目前 刚",
        "habit": "一律 凡是 每次 每晚 每月 每年 从不 向来 习惯 常年 "
        "总是 从来 每天 每周 一般 通常 经常 平时 一直 以后 都",
        "be": "是 在",
        "have": "有 养了 养",
        "past": "得了 拿了 赢了 输了 丢了 换了 卖了 签了 报了 考上 考到 生下 添了 首演 上线 开业 拿到 升了 "
        "调到 搬家 退休 入职 离职 转正 订婚 离婚 去世 摔断 租了 录取 报名 领养 "
        "了 过 买了 去了 搬到 毕业 结婚 考过 通过 分手 辞职 生了",
        "future": "会 要 将 打算 准备",
        "could": "可以 能 应该 得 必须",
        "hedge": "犹豫 没想好 不一定 没准 兴许 貌似 记不清 "
        "可能 也许 或许 大概 考虑 好像 说不定 不确定 估计 应该是 感觉",
        "if": "要不是 的话 假装 下辈子 如果 假如 要是 假设 想象 万一",
        "wish": "想 希望 目标 梦想 计划",
        "taste": "不吃 不看 受不了 最怕 热衷 粉丝 球迷 爱看 爱喝 爱听 不爱 宁可 宁愿 只喝 只吃 只看 反感 "
        "喜欢 爱 讨厌 最爱 偏好 不喜欢 爱吃 更喜欢",
        "lasting": "住在 住 工作 上班 做 用 开 学 读 教 负责 吃 喝 玩 说",
        "praise": "真棒 赞 哇 哎呀 心疼 祝 晚安 早安 没事 拜拜 笑死 "
        "谢谢 好的 太棒了 哈哈 恭喜 厉害 不错 你好 再见 嗯 好吧 加油 辛苦",
        "feeling": "困得 累死 饿死 烦死 头晕 累 饿 困 烦 开心 难过 冷 热",
        "not": "不 没 没有 别 不要 无",
        "asking": "啥 咋 是不是 有没有 能不能 哪里 哪儿 多久 为啥 怎样 吗 什么 怎么 哪 谁 为什么 多少 几 呢 如何",
        "request": "帮我 给我 解释 写 翻译 总结 列出 看看 改一下",
        "manner": "别用 别说 只推荐 只给 不要加 繁体 回答 回复 简短 语气 表情 称呼 叫我 中文 格式 用词",
        "health": "花粉 起疹子 胰岛素 心脏病 胃病 戒酒 戒烟 抑郁 失眠 残疾 轮椅 化疗 透析 忌口 "
        "过敏 糖尿病 怀孕 素食 吃素 乳糖 哮喘 高血压 药 手术 痛风",
        "task": "代码 函数 报错 这段 这句 题 第 行 文件 例子",
        "told": "说 玩笑 开玩笑",
        "fiction": "小说 主角 剧情 电影 角色 故事",
    },
}
UNSPACED: Final = frozenset({"zh"})

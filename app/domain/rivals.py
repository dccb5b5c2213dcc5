"""Things of which one is used at a time: whoever moves to one of a row has left another of that row.

Data and nothing else. A name alone retires nothing: the statement must mark a change, and the row must say that the
other one is in use. New rows and names may be added freely; a name belongs in the rows whose place it can take.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from app.domain.terms import query_terms

_ROWS: Final = (
    # how people talk and keep things at work
    ("chat", "slack|teams|discord|mattermost|zulip|google chat|rocket\\.?chat|webex|hipchat|campfire"),
    ("messenger", "whatsapp|signal|telegram|viber|imessage|threema|wechat|facebook messenger|line"),
    ("meeting", "zoom|google meet|meet|teams|skype|webex|jitsi|facetime|whereby"),
    ("issues", "jira|trello|asana|linear|clickup|openproject|basecamp|youtrack|redmine|monday\\.com|shortcut"
     "|github issues"
     "|notion|planner|wrike|airtable"),
    ("todo", "todoist|things|ticktick|omnifocus|google tasks|apple reminders|remember the milk|microsoft to do"
     "|any\\.do"),
    ("notes", "evernote|obsidian|notion|onenote|joplin|bear|logseq|roam|google keep|apple notes|simplenote"
     "|standard notes"
     "|craft|anytype|paper notebook|zettlr"),
    ("books", "quickbooks|xero|freshbooks|sage|wave|datev|lexoffice|spreadsheets?|excel|google sheets|gnucash"
     "|ynab|mint"),
    ("mail", "gmail|outlook|proton(?:mail)?|fastmail|hotmail|yahoo|icloud|gmx|thunderbird|apple mail|spark|hey"),
    ("files", "dropbox|google drive|onedrive|nextcloud|icloud drive|box|syncthing|sharepoint|mega"),
    ("passwords", "1password|bitwarden|lastpass|keepass(?:xc)?|dashlane|proton pass|apple keychain"),
    ("calendar", "google calendar|outlook calendar|apple calendar|fantastical|notion calendar"),
    ("design", "figma|sketch|adobe xd|penpot|invision|canva|affinity|photoshop|gimp|illustrator|inkscape|procreate"),
    ("photo", "lightroom|capture one|darktable|rawtherapee|luminar"),
    ("video", "premiere|final cut|davinci(?: resolve)?|resolve|kdenlive|imovie|capcut"),
    ("daw", "ableton|logic(?: pro)?|fl studio|cubase|reaper|pro tools|garageband|bitwig"),
    ("sales", "salesforce|hubspot|pipedrive|zoho|close|copper"),
    ("helpdesk", "zendesk|intercom|freshdesk|help ?scout|front|crisp"),
    ("newsletter", "mailchimp|substack|convertkit|buttondown|beehiiv|sendgrid|postmark|mailgun|ses"),
    ("shop", "shopify|woocommerce|etsy|magento|bigcommerce|squarespace|wix|wordpress|ghost|webflow"),
    ("payments", "stripe|paypal|adyen|square|braintree|mollie|klarna|wise|revolut|sumup"),
    # software
    ("code host", "github|gitlab|bitbucket|gitea|codeberg|sourcehut|forgejo|azure devops"),
    ("versions", "git|mercurial|svn|subversion|perforce|jujutsu"),
    ("ci", "jenkins|travis(?: ci)?|circleci|github actions|gitlab ci|argo(?: cd)?|teamcity|buildkite|drone"
     "|bamboo|concourse"),
    ("database", "postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|oracle|dynamodb|cassandra|sql server"
     "|cockroach(?:db)?"
     "|firestore|couchdb|planetscale|duckdb|clickhouse|snowflake|bigquery|redshift|access"),
    ("cache", "redis|memcached|valkey|keydb|dragonfly"),
    ("queue", "kafka|rabbitmq|sqs|nats|pulsar|celery|sidekiq|activemq|redpanda|pub/sub"),
    ("search", "elasticsearch|opensearch|solr|meilisearch|typesense|algolia"),
    ("vectors", "pinecone|weaviate|qdrant|pgvector|chroma|milvus|faiss"),
    ("cloud", "aws|gcp|google cloud|azure|hetzner|digitalocean|fly\\.io|fly|heroku|ovh|linode|render|railway"
     "|vercel|netlify"
     "|cloudflare|scaleway|on-?prem(?:ises)?|bare metal|equinix"),
    ("orchestration", "kubernetes|k8s|docker swarm|swarm|nomad|ecs|docker compose|mesos|openshift|systemd"),
    ("infrastructure", "terraform|pulumi|ansible|cloudformation|chef|puppet|opentofu|salt|cdk"),
    ("monitoring", "datadog|grafana|prometheus|new relic|nagios|zabbix|honeycomb|sentry|splunk|kibana|checkmk"),
    ("frontend", "react|vue|angular|svelte|solid|ember|htmx|jquery|preact|next(?:\\.js)?|nuxt|remix|astro|lit"
     "|elm|backbone"),
    ("backend", "django|flask|fastapi|rails|laravel|spring(?: boot)?|express|symfony|nestjs|phoenix|actix|axum|gin"
     "|asp\\.net|node(?:\\.js)?"),
    ("language", "python|java|kotlin|go|golang|rust|ruby|php|javascript|typescript|c\\+\\+|c#|scala|elixir"
     "|swift|perl|haskell"
     "|clojure|r|julia|matlab|dart|objective-c|cobol|zig|lua|groovy"),
    ("mobile", "react native|flutter|swiftui|jetpack compose|xamarin|ionic|cordova"),
    ("css", "tailwind|bootstrap|sass|styled-components|bulma|material ui|css modules"),
    ("bundler", "webpack|vite|rollup|parcel|esbuild|turbopack|gulp|grunt|rspack"),
    ("packages", "npm|yarn|pnpm|bun"),
    ("python packages", "pip|poetry|uv|conda|pipenv|pdm|hatch|rye"),
    ("linter", "eslint|biome|prettier|flake8|pylint|ruff|black|tslint"),
    ("test runner", "jest|vitest|mocha|karma|cypress|playwright|selenium|pytest|unittest|rspec|minitest"),
    ("api", "rest|graphql|grpc|soap|trpc"),
    ("format", "json|yaml|toml|xml|csv|parquet|protobuf|ini"),
    ("editor", "vim|neovim|emacs|vs ?code|visual studio code|sublime(?: text)?|intellij|pycharm|webstorm|zed|nano|helix"
     "|notepad\\+\\+|atom|cursor|eclipse|netbeans|xcode|android studio|jetbrains"),
    ("shell", "bash|zsh|fish|powershell|nushell|ksh|cmd"),
    ("terminal", "iterm2?|alacritty|kitty|wezterm|ghostty|gnome terminal|windows terminal|tmux|screen|zellij"),
    ("system", "linux|ubuntu|debian|fedora|arch|nixos|mint|alpine|centos|rocky|red hat|windows(?: \\d+)?|mac ?os|macs?"
     "|chromeos|freebsd|openbsd|opensuse|macbook"),
    ("browser", "firefox|chrome|safari|edge|brave|arc|vivaldi|opera|librewolf|chromium|duckduckgo browser|zen"),
    ("web search", "google|duckduckgo|bing|kagi|ecosia|startpage|brave search"),
    ("phone system", "iphone|android|pixel|galaxy|fairphone|nokia|oneplus|xiaomi|huawei|samsung|motorola|flip phone"),
    ("assistant", "chatgpt|claude|gemini|copilot|mistral|llama|perplexity"),
    ("theme", "dark (?:mode|themes?)|light (?:mode|themes?)|high[- ]contrast|solarized"),
    ("indent", "tabs?|(?:two|four|eight|2|4|8)?[ -]?spaces?"),
    ("case", "snake[_ ]?case|camel ?case|kebab[- ]case|pascal ?case"),
    ("quotes", "single quotes|double quotes"),
    ("keyboard", "qwerty|dvorak|colemak|azerty|qwertz|neo2?|bépo|workman"),
    ("units", "metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles|kilograms?|pounds"),
    ("clock", "24[- ]hour|12[- ]hour|am/pm|military time"),
    ("log level", "debug|info|warn(?:ing)?|error|trace|verbose"),
    ("seat", "window(?: seats?)?|aisle(?: seats?)?|middle seat"),
    ("branches", "trunk[- ]based|git ?flow|feature branches|monorepo|polyrepo|rebase|squash|merge commits?"),
    ("method", "scrum|kanban|waterfall|shape up|extreme programming|sprints"),
    # daily life
    ("travel", "cycl(?:e|es|ing)|bik(?:e|es|ing)|bicycle|walk(?:s|ing)?|on foot|buse?s?|trains?|trams?|tube"
     "|metro|subway|ferry"
     "|driv(?:e|es|ing)|cars?|carpool\\w*|scooter|e-scooter|motorbike|motorcycle|moped|e-bike|vélo|fahrrad|auto"
     "|zug|bahn"
     "|straßenbahn|voiture|bicicleta|coche|metro|autobús"),
    ("drink", "coffee|espresso|decaf|tea|green tea|black tea|rooibos|chai|matcha|cocoa|herbal tea|yerba mate|chicory"),
    ("milk", "oat milk|soy milk|almond milk|whole milk|skimmed milk|cow's milk|rice milk|coconut milk"
     "|lactose-free milk"),
    ("diet", "vegan|vegetarian|pescatarian|pescetarian|meat|omnivore|keto|paleo|carnivore|gluten-free|low[- ]carb|halal"
     "|kosher|mediterranean|intermittent fasting|anything|everything|vegane?r?|vegetarisch|végane?|végétarien(?:ne)?"
     "|vegan[oa]|vegetarian[oa]"),
    ("music service", "spotify|apple music|tidal|deezer|youtube music|qobuz|amazon music|soundcloud|pandora|bandcamp"),
    ("reader", "kindle|kobo|paper(?: book)?s?|paperbacks?|audiobooks?|e-?reader|hardcovers?|audible|libby"),
    ("television", "netflix|disney\\+?|hulu|prime video|hbo|max|apple tv|cable|sky"),
    ("supermarket", "aldi|lidl|tesco|sainsbury's|waitrose|asda|costco|walmart|target|kroger|trader joe's"
     "|whole foods|rewe"
     "|edeka|carrefour|mercadona|auchan|monoprix|coop|migros|publix|safeway|ocado"),
    ("carrier", "vodafone|o2|ee|three|t-mobile|verizon|at&t|telekom|orange|movistar|giffgaff|sfr|free mobile"
     "|sprint|telstra"
     "|swisscom|prepaid|contract"),
    ("bank", "barclays|hsbc|lloyds|natwest|monzo|starling|chase|wells fargo|citi(?:bank)?|n26|ing|sparkasse|dkb"
     "|santander"
     "|bbva|bnp|revolut|nationwide|bank of america|commerzbank|credit union"),
    ("eyes", "glasses|contact lenses|contacts|laser surgery|varifocals|bifocals|reading glasses"),
    ("hand", "left-handed|right-handed|ambidextrous"),
    ("faith", "catholic|protestant|buddhist|muslim|jewish|hindu|atheist|agnostic|methodist|baptist|quaker|orthodox"),
    ("place of work", "remote(?:ly)?|from home|home office|hybrid|on[- ]?site|in the office"
     "|co-?working(?: space)?|at home"
     "|homeoffice|télétravail|teletrabajo"),
    ("extent of work", "full[- ]time|part[- ]time|half days?|four[- ]day week|freelanc\\w+|self-employed"
     "|employed|unemployed"
     "|retired|on leave|sabbatical|parental leave|maternity leave|temp|permanent|contractor|salaried|intern|apprentice"
     "|trainee|in rente|vollzeit|teilzeit"),
    ("shift", "night shifts?|day shifts?|early shifts?|late shifts?|mornings|evenings|nine to five|swing shift"),
    ("love", "single|dating|girlfriend|boyfriend|engaged|married|divorced|separated|widowed|husband|wife"
     "|partner|fiancée?"
     "|seeing|together|solo|verheiratet|ledig|geschieden|verlobt|célibataire|mariée?|divorcée?|solter[oa]|casad[oa]"
     "|divorciad[oa]"),
    ("housing", "rent(?:ing|ed)?|own(?:ed|er)?|mortgage|flat ?share|dorm|with (?:my|our) parents|hostel|lodger|alone"
     "|flatmates|roommates|houseboat|van|camper|caravan|hotel|temporary housing"),
    ("heat", "gas boiler|heat pump|oil heating|gas|oil|coal|solar|wood stove|pellet stove|radiators"
     "|underfloor heating|district heating"
     "|electric heating|gas stove|induction|gas hob|electric hob|wood burner"),
    ("fuel", "petrol|diesel|electric|hybrid|hydrogen|lpg"),
    ("gears", "manual|automatic"),
    ("speech", "by phone|phone calls?|call me|ring me|texts?|sms|e-?mail|mail|whatsapp|signal|telegram|slack|in person"
     "|voice messages?|video calls?|letters?|post"),
    ("length", "long|detailed|thorough|in[- ]depth|exhaustive|short|brief|concise|terse|to the point|succinct"
     "|one[- ]liners?"
     "|bullet points?|summary|tl;dr"),
    ("tone", "formal|informal|casual|friendly|professional|blunt|polite|direct|playful|humorous|serious|neutral"),
    ("answer form", "bullet(?: point)?s?|prose|tables?|markdown|plain text|numbered lists?|paragraphs|headings"
     "|code only"),
    ("spelling", "british|american|oxford spelling|uk english|us english|british spelling|american spelling"),
    ("answer language", "english|german|french|spanish|italian|portuguese|dutch|polish|swedish|chinese|japanese|deutsch"
     "|englisch|französisch|français|anglais|español|inglés|中文|英文"),
    ("sport watch", "garmin|apple watch|fitbit|polar|suunto|coros|whoop|oura"),
    ("console", "playstation|ps\\d|xbox|switch|steam deck|pc"),
    ("school subject", "chemistry|physics|biology|maths?|mathematics|history|geography|latin|philosophy"
     "|economics|art|music"
     "|computer science|sociology|psychology|literature|drama|religion|sports?|pe|german|french|spanish|english"),
    ("sleep", "night owl|early bird|morning person|night person"),
)  # fmt: skip


# of these one can have several at a time: only a verb of change tells that one took the place of another
SEVERAL: Final = frozenset(
    {"school subject", "language", "answer language", "todo", "notes", "television", "console", "supermarket"}
)
# of these one can know, speak or mix several: a name counts only beside a word that says which is in use for what
_BESIDE: Final = {
    "language": re.compile(
        r"\b(?:write|written|writing|codebase|backend|stack|service|rewr\w+|port(?:ed)?|go-to|main)\b", re.I
    ),
    "answer language": re.compile(
        r"\b(?:answer|reply|respond|write|talk|speak) .{0,30}\bin\b|\bin .{2,12}(?:please|from)\b", re.I
    ),
    "length": re.compile(r"\b(?:answers?|repl\w+|respon\w+|explain\w*|explanations?|summar\w+|messages)\b", re.I),
    "tone": re.compile(r"\b(?:answers?|repl\w+|respon\w+|tone|style|write|talk|messages|address)\b", re.I),
    "answer form": re.compile(r"\b(?:answers?|repl\w+|respon\w+|format\w*|write|give|lists?|use|summar\w+)\b", re.I),
    "speech": re.compile(
        r"\b(?:reach|contact|call|ring|text|message|write|e-?mail|get hold|best way|phone|send) ?(?:me|us|to)?\b", re.I
    ),
    "travel": re.compile(r"\b(?:work|office|commut\w+|school|campus|town|arbeit|travail|boulot|trabajo)\b", re.I),
    "format": re.compile(r"\b(?:config\w*|export\w*|format|files?|send|return\w*|store\w*|api)\b", re.I),
    "units": re.compile(r"\b(?:use|units?|give|show|answer|in)\b", re.I),
    "love": re.compile(r"\b(?:i'm|i am|am|is|user|he's|she's|we're|are|have|got|been|bin|suis|soy|estoy)\b", re.I),
    "extent of work": re.compile(r"\b(?:work\w*|job|hours|on|arbeite|as|am|is|i'm|in|go|went|gone)\b", re.I),
    "school subject": re.compile(
        r"\b(?:teach\w*|taught|major\w*|stud(?:y|ies|ying)|degree|lessons?|class(?:es)?|do|doing|years? \d+)\b", re.I
    ),
    "faith": re.compile(r"\b(?:i'm|i am|am|is|became|converted|raised)\b", re.I),
    "drink": re.compile(r"\b(?:drink\w*|cups?|morning|coffee|order|have|prefer|off)\b", re.I),
    "television": re.compile(r"\b(?:watch\w*|subscri\w+|stream\w*|have|use)\b", re.I),
}


# these are names only when they are written as such
_PLAIN_WORDS: Final = frozenset(
    [
        "line",
        "box",
        "hey",
        "spark",
        "bear",
        "things",
        "craft",
        "three",
        "sky",
        "max",
        "target",
        "free",
        "ing",
        "meet",
        "access",
        "render",
        "fly",
        "drone",
        "screen",
        "salt",
        "chef",
        "arc",
        "edge",
        "opera",
        "zen",
        "go",
        "lit",
        "solid",
        "phoenix",
        "gin",
        "mint",
        "wave",
        "sage",
        "close",
        "front",
        "copper",
        "kitty",
        "fish",
        "nano",
        "hatch",
        "black",
        "atom",
        "brave",
        "orange",
        "chase",
        "contract",
        "planner",
        "shortcut",
        "notion",
        "slack",
        "signal",
        "teams",
        "linear",
        "reaper",
        "logic",
        "sketch",
        "things",
        "todo",
        "roam",
        "vite",
        "swarm",
        "nomad",
        "helix",
        "zed",
        "cursor",
        "express",
        "spring",
        "flask",
        "rust",
        "ruby",
        "swift",
        "dart",
        "elm",
        "remix",
        "ember",
        "bun",
        "uv",
        "jest",
        "cypress",
        "karma",
        "rest",
        "soap",
        "salt",
        "puppet",
        "cluster",
        "access",
        "oracle",
        "wise",
        "square",
        "adyen",
        "ghost",
        "render",
        "railway",
        "switch",
        "pc",
        "polar",
        "sprints",
        "post",
        "mail",
        "letters",
        "nights",
        "days",
        "mornings",
        "evenings",
        "mac",
        "opera",
        "max",
        "cable",
        "art",
        "music",
        "sport",
        "sports",
        "together",
        "seeing",
        "solo",
        "partner",
    ]
) - frozenset(
    (
        "mornings",
        "evenings",
        "post",
        "mail",
        "letters",
        "art",
        "music",
        "together",
        "seeing",
        "solo",
        "partner",
        "cable",
    )
)


def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)) for name, words in _ROWS)


_NO_WORD: Final = re.compile(r"\\[a-z]|[|()?:\\\[\]{}*=+!<]")
_RIVALS: Final = _compiled()


@lru_cache(maxsize=4096)
def rivals(text: str) -> dict[str, frozenset[str]]:
    """Give, per row of things that can take each other's place, those that a text names."""
    found = {}
    for name, pattern in _RIVALS:
        named = frozenset(match.group() for match in pattern.finditer(text))
        named = frozenset(word.casefold() for word in named if word not in _PLAIN_WORDS)
        if named and (name not in _BESIDE or _BESIDE[name].search(text)):
            found[name] = named
    return found


@lru_cache(maxsize=256)
def terms_of_rivals(names: frozenset[str]) -> frozenset[str]:
    """Give the terms by which things of some rows are found in the store."""
    listed = " ".join(words for name, words in _ROWS if name in names)
    return frozenset(query_terms(_NO_WORD.sub(" ", listed))) if listed else frozenset()

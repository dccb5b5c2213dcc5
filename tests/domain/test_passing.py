"""What a question or a request tells in passing is a statement of its own, where it is plain what is told."""

from __future__ import annotations

import pytest

from app.domain.memory import Modality
from app.domain.text import straight
from tests.domain.saying import candidates

TOLD = [
    (
        "Since I'm vegan now, what can I cook tonight?",
        ["User is vegan now"],
    ),
    (
        "Now that I live in Oslo, which gym should I join?",
        ["User lives in Oslo"],
    ),
    (
        "Now that I'm vegan, what can I cook?",
        ["User is vegan"],
    ),
    (
        "Given that my rent is 900 euros, what should I earn?",
        ["User's rent is 900 euros"],
    ),
    (
        "Given that my rent is 1,200 euros, how much should I earn?",
        ["User's rent is 1,200 euros"],
    ),
    (
        "Because my son is allergic to nuts, what should I bake?",
        ["User's son is allergic to nuts"],
    ),
    (
        "What should I bake, since my son is allergic to nuts?",
        ["User's son is allergic to nuts"],
    ),
    (
        "Since I'm vegan, and my wife hates tofu, what can I cook?",
        ["User is vegan", "User's wife hates tofu"],
    ),
    (
        "Since I’m vegan, and my wife hates tofu, what can I cook?",
        ["User is vegan", "User's wife hates tofu"],
    ),
    (
        "As I live in Leeds now, is there a good dentist?",
        ["User lives in Leeds now"],
    ),
    (
        "As a nurse on night shifts, how should I sleep?",
        ["User is a nurse on night shifts"],
    ),
    (
        "As a vegan, what should I eat in Rome?",
        ["User is a vegan"],
    ),
    (
        "Quick question - since I moved to Oslo, which bank should I use?",
        ["User lives in Oslo"],
    ),
    (
        "Can you help me cut my AWS bill, which has grown to 900 dollars a month?",
        ["User's AWS bill has grown to 900 dollars a month"],
    ),
    (
        "How do I greet my landlord, who raised the rent to 1,200 euros?",
        ["User's landlord raised the rent to 1,200 euros"],
    ),
    (
        "How do I tell my boss, who is called Renate now, that I'm late?",
        ["User's boss is called Renate now"],
    ),
    (
        "What can I give my daughter Mia, who turns six on Friday?",
        ["User's daughter Mia turns six on Friday (2025-06-06)"],
    ),
    (
        "Can I bring my dog, who's scared of trains, to the office?",
        ["User's dog is scared of trains"],
    ),
    (
        "Remind me to call my sister Ana, who moved to Porto, on Friday.",
        ["User's sister Ana lives in Porto"],
    ),
    (
        "I'm trying to increase the test coverage for my parser, which has recently improved to 78%.",
        [
            "User is trying to increase the test coverage for their parser, which has recently improved to 78%",
            "The test coverage for User's parser has recently improved to 78%",
        ],
    ),
    (
        "How would you plan a week with my new budget of 300 euros?",
        ["User's new budget is 300 euros"],
    ),
    (
        "I want to redo the plan to reflect the new sprint deadline of April 5, 2026, can you help?",
        [
            "User wants to redo the plan to reflect the new sprint deadline of April 5, 2026",
            "The new sprint deadline is April 5, 2026 (2026-04-05)",
        ],
    ),
    (
        "Can you compare my laptop, which is a MacBook Air, and my phone, which is an iPhone 12?",
        ["User's laptop is a MacBook Air", "User's phone is an iPhone 12"],
    ),
    (
        "Draft an email to the team about my deadline, which has moved to June 9.",
        ["User's deadline has moved to June 9 (2024-06-09)"],
    ),
    (
        "I'm vegan but can you suggest a cheese?",
        ["User is vegan"],
    ),
    (
        "Hey Siri, now that I live in Oslo, what's the weather?",
        ["User lives in Oslo"],
    ),
    (
        "Could you, since I'm diabetic, suggest a cake?",
        ["User is diabetic"],
    ),
    (
        "I want to plan, considering the growth of commits merged into main, which has reached 165.",
        ["The growth of commits merged into main has reached 165"],
    ),
    (
        "Da ich jetzt vegan bin, was kann ich heute kochen?",
        ["Ich bin jetzt vegan"],
    ),
    (
        "Weil mein Sohn allergisch gegen Nüsse ist, was soll ich backen?",
        ["Mein Sohn ist allergisch gegen Nüsse"],
    ),
    (
        "Comme je suis végétarienne maintenant, que puis-je cuisiner ?",
        ["je suis végétarienne maintenant"],
    ),
    (
        "Maintenant que j'habite à Lyon, quel club me conseilles-tu ?",
        ["j'habite à Lyon"],
    ),
    (
        "Como ahora soy vegano, ¿qué puedo cocinar?",
        ["ahora soy vegano"],
    ),
    (
        "Ahora que vivo en Sevilla, ¿a qué gimnasio voy?",
        ["vivo en Sevilla"],
    ),
    (
        "既然我搬到了杭州，有什么好的健身房？",
        ["我搬到了杭州"],
    ),
    (
        "因为我现在吃素，晚上可以做什么？",
        ["我现在吃素"],
    ),
    (
        "Is there, now that I have diabetes, anything sweet for me?",
        ["User has diabetes"],
    ),
    (
        "Should I sell my car now that I work from home, or keep it?",
        ["User works from home"],
    ),
    ("How do I explain that my new salary of 90,000 is low?", ["User's new salary is 90,000"]),
    ("How do I plan with our new budget of 2.5 million euros?", ["User's new budget is 2.5 million euros"]),
    ("Can my new rent of 1,200 go up again?", ["User's new rent is 1,200"]),
    ("How do I run my new pace of 5:30 per km in a marathon?", ["User's new pace is 5:30 per km"]),
    ("As a father of three, how do I sleep?", ["User is a father of three"]),
]


def told_in(text: str) -> list[str]:
    return [one.content for one in candidates(text) if one.claim.modality is Modality.ASSERTED]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_told_in_passing_is_a_statement(text: str, told: list[str]) -> None:
    assert told_in(text) == told
    for one in candidates(text):
        assert text[one.start :].startswith(one.quote)


@pytest.mark.parametrize(
    "text",
    [
        "How do I draw the new version of 3.1415926 digits of pi?",
        "As a gift for a teacher, what should I buy?",
        "As a son of a baker, what should I bake?",
        "As a future nurse, what should I learn?",
        "As a good Christian would, should I forgive?",
        "For my D&D campaign, how does my wizard, who is 300 years old, die?",
        "Since I'm basically a doctor after all that googling, what can I skip?",
        "Since my doctor suspects I'm anemic, what should I eat?",
        "How long is it, since I moved to Oslo?",
        "What changed, since my daughter was born?",
        "As we have seen, what is next?",
        "Can you find a gift for my wife, who is, let's be honest, hard to please?",
        "Can you help my mother and my brother, who are retired?",
        "Da ich nicht weiß was richtig ist, was soll ich tun?",
        "Da ich im Rollenspiel Arzt bin, was soll ich tun?",
        "Comme je suis censé être riche, que dois-je faire ?",
        "Como tengo una duda, ¿puedes ayudarme?",
        "因为我觉得他有女朋友，怎么办？",
        "As a lawyer, what would you tell me?",
        "As a doctor, what would you prescribe me?",
        "As an expert in tax law, can you check my return?",
        "As an AI, what do you think of me?",
        "As a landlord, can my uncle evict us?",
        "As a nurse, should my sister work nights?",
        "As a compromise, can I pay half?",
        "As a thought experiment, should I move?",
        "Has anything changed, since I last asked?",
        "Since I last wrote, what has changed?",
        "Could I be tired, because I have diabetes?",
        "Could it be, since I'm always tired, that I have diabetes?",
        "As my mother always says, better late than never, right?",
        'Explain why "my brother, who lives in Oslo" needs commas?',
        'How do I say "my name, which is Tom" in German?',
        "What's wrong with this text: my car, which has four doors, is fast?",
        "What does the phrase my house, which is on fire mean?",
        "Write a scene about my detective, who is a retired nurse from Oslo.",
        "Write a rap about my cat, who rules the world.",
        "Answer as if you were my boss, who is strict.",
        "Please summarize my notes, which are below: I live in Oslo.",
        "Write a tweet saying that my cat, who is 20, is dead.",
        "Play my mother, who is dead, and talk to me.",
        "Weil meine Tochter Mia Nüsse nicht verträgt, was soll ich backen?",
        "Da meine neue Adresse Hauptstraße 5 ist, was muss ich ändern?",
        "Da mein neuer Chef Tim heißt, wie soll ich ihn grüßen?",
        "Da meine kleine Schwester heiratet, was soll ich schenken?",
        "Da mein Mann und ich vegan leben, was kann ich kochen?",
        "Weil mein Bruder sagt dass ich faul bin, was soll ich tun?",
        "Da ich Vegetarierin bin und Nüsse nicht vertrage, was kann ich kochen?",
        "Weil ich immer müde aufwache, was kann ich tun?",
        "Weil ich Anna gesagt habe, dass ich komme, was soll ich tun?",
        "Wo ich geboren bin, weißt du das noch?",
        "Da ich angeblich faul bin, was soll ich tun?",
        "Como pan todos los días, ¿es malo?",
        "Como mi mujer, Ana, es vegana, ¿qué cocino?",
        "Vu que ma femme, Anne, déteste le tofu, que puis-je cuisiner ?",
        "Comme je le disais, que puis-je cuisiner ?",
        "Comme mon père disait, que faire ?",
        "Como dice mi madre, ¿qué hago?",
        "既然我说过我住在北京，天气怎么样？",
        "因为我的老板，所以怎么办？",
        "Is the new deadline of May 5 or of June 5?",
        "Has the new deadline of May 5 been cancelled?",
        "Please ignore the new deadline of May 5.",
        "Should I accept the new salary of 60k or ask for more?",
        "What does the latest version of 3 libraries change?",
        "How do I get to my boss's house, who lives alone?",
        "Can you help my mother and my father, who are both retired?",
        "Can you find my dog, who's lost a leg?",
        "Can you call my niece, who's just moved to Porto?",
        "Do you know why the unemployment rate in the US, which has fallen to 4%, matters?",
        "Since I moved from Leeds, where I was born, to Oslo, which bank should I use?",
        "Since you asked, what is the weather in Rome?",
        "Between my car and my bike, which is faster?",
        "If I had my own car, which runs on gas, what would I pay?",
        "Should I take my umbrella, which would be heavy?",
        "Since I can't sleep, what can I do?",
    ],
)
def test_what_is_only_asked_supposed_or_spoken_of_is_no_statement(text: str) -> None:
    assert told_in(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "I'm using Flask 2.3 for my shop - can you help me add a login, and I prefer short answers?",
            ["User is using Flask 2.3 for their shop"],
        ),
        ("I want to sell my car, which I never liked.", ["User wants to sell their car, which they never liked"]),
        ("I write down what I eat and when I sleep.", ["User writes down what they eat and when they sleep"]),
        ("My son is 3 and can do push-ups.", ["User's son is 3 and can do push-ups"]),
        (
            "I'm vegan but when I visit my mum I eat cheese.",
            ["User is vegan but when they visit their mum they eat cheese"],
        ),
        ("I have a cat, since I love animals.", ["User has a cat, since they love animals"]),
        ("I'm vegan, so what can I eat?", ["User is vegan"]),
        ("I live in Bonn, where is the nearest gym?", ["User lives in Bonn"]),
        ("I use Postgres, which is the fastest client for it?", ["User uses Postgres"]),
    ],
)
def test_a_sentence_is_cut_where_it_begins_to_ask_and_nowhere_else(text: str, told: list[str]) -> None:
    assert told_in(text) == told


def test_what_is_told_in_passing_does_not_hide_the_rest_of_a_long_message() -> None:
    text = "Can you see my dog, who is brown and old? " * 450
    assert straight(candidates(text)[-1].quote).startswith("Can you see")

"""From sentences to claims: who, what, whether, and when."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.domain.extract import verbatim
from app.domain.memory import Kind, Modality, Role, Verdict
from tests.domain.saying import candidates, message, only, verdict


def test_the_turn_of_the_contract_comes_out_word_for_word() -> None:
    moved, dog, thanks = candidates("I moved to Berlin last month. I'm thinking about getting a dog. Thanks!")
    assert moved.content == "User lives in Berlin"
    assert moved.quote == "I moved to Berlin last month."
    assert (moved.claim.attribute, moved.claim.value, moved.claim.single_valued) == ("home_city", "Berlin", True)
    assert moved.claim.valid_from == datetime.fromisoformat("2025-05-01T00:00:00+00:00")
    assert moved.kind is Kind.SEMANTIC
    assert dog.content == "User is thinking about getting a dog"
    assert dog.claim.modality is Modality.HEDGED
    assert thanks.content == "Thanks!"


def test_the_switch_of_the_contract_names_what_it_ends() -> None:
    switched = only("I switched from Postgres to MySQL.")
    assert switched.content == "User uses MySQL"
    assert (switched.claim.attribute, switched.claim.value) == ("uses", "MySQL")
    assert (switched.claim.ends, switched.claim.ended_value) == (True, "Postgres")


@pytest.mark.parametrize(
    ("text", "attribute", "value", "single"),
    [
        # home
        ("I live in Redport", "home_city", "Redport", True),
        ("I'm based in New York City", "home_city", "New York City", True),
        ("I've just relocated to São Paulo", "home_city", "São Paulo", True),
        ("I moved back to the Netherlands in 2021", "home_city", "the Netherlands", True),
        ("i live in oslo", "home_city", "oslo", True),
        ("I've lived in Berlin since 2019", "home_city", "Berlin", True),
        ("Today I moved to Oslo", "home_city", "Oslo", True),
        # work
        ("I work at Northwind", "employer", "Northwind", True),
        ("I joined Contoso", "employer", "Contoso", True),
        ("I just started a new job at Initech", "employer", "Initech", True),
        ("I'm a software engineer at Google", "job_title", "software engineer", True),
        ("I work as a nurse", "job_title", "nurse", True),
        ("I was promoted to staff engineer", "job_title", "staff engineer", True),
        ("I'm assigned to project Alpha", "project", "Alpha", True),
        ("I've been moved to project Beta", "project", "Beta", True),
        ("I moved to the platform team", "team", "platform", True),
        # who
        ("My name is Bob", "name", "Bob", True),
        ("I'm Sam", "name", "Sam", True),
        ("Call me Sam", "preferred_name", "Sam", True),
        ("Please call me Samuel from now on", "preferred_name", "Samuel", True),
        ("My time zone is UTC+2", "time_zone", "UTC+2", True),
        ("My time zone is now UTC-5", "time_zone", "UTC-5", True),
        ("I'm 34 years old", "age", "34", True),
        ("I'm from Chile", "origin", "Chile", True),
        ("I'm German", "nationality", "German", True),
        ("I have two kids", "children_count", "two", True),
        ("I'm married to Ana", "spouse", "Ana", True),
        # health and food
        ("I'm allergic to penicillin", "allergic_to", "penicillin", False),
        ("I have a peanut allergy", "allergic_to", "peanut", False),
        ("I was diagnosed with asthma", "health_condition", "asthma", False),
        ("I take metformin daily", "medication", "metformin", False),
        ("I'm vegan", "diet", "vegan", True),
        ("I can't eat gluten", "avoids", "gluten", False),
        # tastes and tools
        ("I like late-night snacks at weekends", "likes", "late-night snacks at weekends", False),
        ("I love spicy food again", "likes", "spicy food", False),
        ("I'm a big fan of jazz", "likes", "jazz", False),
        ("I drink tea", "likes", "tea", False),
        ("I prefer tea over coffee", "prefers", "tea over coffee", False),
        ("I like tea more than coffee", "prefers", "tea over coffee", False),
        ("I use PostgreSQL for all my services", "uses", "PostgreSQL", False),
        ("I mainly code in Rust these days", "uses", "Rust", False),
        ("I use Postgres as my main database", "main_database", "Postgres", True),
        ("I speak Spanish", "speaks", "Spanish", False),
        ("I play tennis on Tuesdays", "plays", "tennis", False),
        ("I have a cat named Tom", "has_pet", "cat named Tom", False),
        ("I'm learning Rust", "learning", "Rust", False),
        ("I'm building a startup", "builds", "startup", False),
        ("I want to run a marathon", "goal", "run a marathon", False),
        # attributes of the statement's own words
        ("My badge code is ZEBRA-7731", "badge_code", "ZEBRA-7731", True),
        ("My deploy target is Fly", "deploy_target", "Fly", True),
        ("My secret word is marzipan", "secret_word", "marzipan", True),
        ("My favourite colour is blue", "favorite_color", "blue", True),
        ("My favorite color is now green", "favorite_color", "green", True),
        ("Postgres is my favourite database", "favorite_database", "Postgres", True),
        ("My favourite foods are pizza and sushi", "favorite_foods", "pizza and sushi", False),
        ("My favourite sport is running", "favorite_sport", "running", True),
        ("My hobbies are chess and hiking", "hobbies", "chess and hiking", False),
        # facts without a subject are the user's
        ("Prefers tea over coffee", "prefers", "tea over coffee", False),
        ("The user lives in Oslo", "home_city", "Oslo", True),
        # opening words are not the statement
        ("Well, actually, I live in Redport", "home_city", "Redport", True),
        ("Remember that I speak Thai", "speaks", "Thai", False),
        ("and I also play chess", "plays", "chess", False),
    ],
)
def test_statements_about_the_user_are_parsed(text: str, attribute: str, value: str, single: bool) -> None:
    claim = only(text).claim
    assert claim.subject == "user"
    assert (claim.attribute, claim.value, claim.single_valued) == (attribute, value, single)
    assert claim.positive


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I hate spicy food", "likes", "spicy food"),
        ("I don't like coffee", "likes", "coffee"),
        ("I'm not a fan of jazz", "likes", "jazz"),
        ("I can't stand loud music", "likes", "loud music"),
        ("I don't eat meat", "likes", "meat"),
        ("I never use rm -rf", "uses", "rm -rf"),
        ("I don't speak French", "speaks", "French"),
        ("I don't live in Paris", "home_city", "Paris"),
    ],
)
def test_denials_have_the_other_polarity(text: str, attribute: str, value: str) -> None:
    claim = only(text).claim
    assert (claim.attribute, claim.value, claim.positive, claim.ends) == (attribute, value, False, False)
    # a denial takes no other value's place
    assert not claim.single_valued


@pytest.mark.parametrize(
    ("text", "attribute", "ended", "new"),
    [
        # nothing takes its place
        ("I no longer like coffee", "likes", "coffee", None),
        ("I don't like coffee anymore", "likes", "coffee", None),
        ("I do not like coffee any more", "likes", "coffee", None),
        ("I stopped drinking coffee", "likes", "coffee", None),
        ("I quit coffee last month", "likes", "coffee", None),
        ("I gave up sugar", "likes", "sugar", None),
        ("I no longer live in Paris", "home_city", "Paris", None),
        ("I used to live in Paris", "home_city", "Paris", None),
        ("I moved out of London", "home_city", "London", None),
        ("I'm no longer vegan", "diet", "vegan", None),
        ("I am not vegetarian anymore", "diet", "vegetarian", None),
        ("I left Contoso", "employer", "Contoso", None),
        ("I quit my job at Google", "employer", "Google", None),
        ("I stopped using Emacs", "uses", "Emacs", None),
        # something does
        ("I moved from Redport to Bluefield", "home_city", "Redport", "Bluefield"),
        ("I migrated from Jenkins to GitHub Actions", "uses", "Jenkins", "GitHub Actions"),
        ("I replaced Vim with Helix", "uses", "Vim", "Helix"),
        ("I use Neovim instead of VS Code now", "uses", "VS Code", "Neovim"),
        ("I moved from Emacs to Vim", "uses", "Emacs", "Vim"),
    ],
)
def test_endings_name_what_came_to_an_end(text: str, attribute: str, ended: str, new: str | None) -> None:
    candidate = only(text)
    claim = candidate.claim
    assert (claim.attribute, claim.ends, claim.ended_value, claim.value) == (attribute, True, ended, new)
    assert candidate.kind is (Kind.SEMANTIC if new else Kind.EPISODIC)


@pytest.mark.parametrize(
    "text",
    [
        # words of a frame that name no value of the attribute: a claim here would retire a true fact
        "I work at night",
        "I live in fear of spiders",
        "I live in a small flat near the river",
        "I moved to bed early",
        "I moved to a new apartment",
        "I moved the meeting to Friday",
        "I'm a morning person",
        "I'm engaged in politics",
        "I'm single-handedly running everything",
        "My name is hard to spell",
        "My home is my castle",
        "My project is about birds",
        "My job is stressful",
        "My role is changing soon",
        "My day was long",
        "My flight is delayed",
        "I left the office",
        "I left early",
        "I left my keys at home",
        "I quit early today",
        "I switched off the light",
        "I stopped by the office",
        "I changed my mind",
        "I love it",
        "I use this for testing",
        "I like where this is going",
        "I prefer the second option",
        "I speak to my mother every day",
        "The point of this is clarity",
        "My laptop's battery is dead",
        "I was a teacher before the war",
        "I worked at Google until 2020",
        "I lived in Paris for ten years",
    ],
)
def test_look_alikes_claim_nothing(text: str) -> None:
    for candidate in candidates(text):
        assert candidate.claim.attribute is None
        assert not candidate.claim.ends


@pytest.mark.parametrize(
    "text",
    [
        "Do not forget to use dark mode",
        "I can't wait to see Rome",
        "I not only use Postgres but also Redis",
        "I can't live without coffee",
        "I wouldn't mind some tea",
    ],
)
def test_negation_that_is_none_ends_and_denies_nothing(text: str) -> None:
    for candidate in candidates(text):
        assert candidate.claim.positive
        assert not candidate.claim.ends


@pytest.mark.parametrize(
    ("text", "subject", "content"),
    [
        # relations, names, companies, pets, things
        ("My brother lives in Oslo.", "person:brother", "User's brother lives in Oslo"),
        ("My friend Alex is allergic to peanuts", "person:alex", "User's friend Alex is allergic to peanuts"),
        ("My sister hates cilantro", "person:sister", "User's sister hates cilantro"),
        ("My best friend moved to Lima", "person:best_friend", "User's best friend lives in Lima"),
        (
            "Our client Northwind wants weekly reports",
            "client:northwind",
            "User's client Northwind wants weekly reports",
        ),
        ("My dog Rex is allergic to chicken", "pet:rex", "User's dog Rex is allergic to chicken"),
        ("Alex is vegan and lives in Oslo", "person:alex", "Alex is vegan and lives in Oslo"),
        ("Alex broke his leg", "person:alex", "Alex broke his leg"),
        ("Alex's birthday is 5 May", "person:alex", "Alex's birthday is 5 May"),
        ("My wife's birthday is 5 May", "person:wife", "User's wife's birthday is 5 May"),
        ("The SSH port of my server is 22", "thing:server", "The SSH port of User's server is 22"),
        ("My server's SSH port is 22", "thing:server", "User's server's SSH port is 22"),
        ("The capital of France is Paris", "thing:france", "The capital of France is Paris"),
    ],
)
def test_what_is_said_of_others_stays_with_them(text: str, subject: str, content: str) -> None:
    candidate = only(text)
    assert candidate.claim.subject == subject
    assert candidate.content == content


def test_he_is_the_one_last_spoken_of() -> None:
    lives, works, loves = candidates("My brother Tom lives in Oslo. He works at Equinor. He's allergic to nuts.")
    assert {lives.claim.subject, works.claim.subject, loves.claim.subject} == {"person:tom"}
    assert works.content == "User's brother Tom works at Equinor"
    assert loves.content == "User's brother Tom is allergic to nuts"


def test_he_without_anybody_is_nobody_known() -> None:
    assert only("He works at Equinor").claim.subject == "person:unknown"


def test_what_they_did_with_what_is_mine_is_about_the_user() -> None:
    assert only("They doubled our rent in May").claim.subject == "user"
    for text in ("They live in Oslo", "They live with my parents", "They moved to the US"):
        assert only(text).claim.subject == "person:unknown", text


def test_what_a_doctor_says_about_the_user_is_about_the_user() -> None:
    assert only("My doctor said I have high blood pressure").claim.subject == "user"


def test_a_given_subject_is_authoritative() -> None:
    for text in ("prefers email over calls", "I prefer email. My brother lives in Oslo.", "Northwind pays late"):
        assert {found.claim.subject for found in candidates(text, subject="client:northwind")} == {"client:northwind"}


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        # field report S3
        ("I'm thinking about moving to Bluefield", Modality.HEDGED),
        ("Would Obsidian be useful for me?", Modality.QUESTION),
        ("If I had a dog I'd call it Rex", Modality.HYPOTHETICAL),
        ("Maybe I should switch to Rust", Modality.HEDGED),
        ("In the novel the hero says: I live in Paris", Modality.QUOTED),
        # hedges
        ("I might move to Peru", Modality.HEDGED),
        ("Perhaps I'll learn Go", Modality.HEDGED),
        ("I'm not sure I like jazz", Modality.HEDGED),
        ("I'm considering a new job", Modality.HEDGED),
        ("I think I'm allergic to nuts", Modality.HEDGED),
        ("I could move to Rome", Modality.HEDGED),
        ("I'm torn between Rust and Go", Modality.HEDGED),
        # suppositions
        ("Imagine I lived in Rome", Modality.HYPOTHETICAL),
        ("I wish I lived in Rome", Modality.HYPOTHETICAL),
        ("I would have bought a dog", Modality.HYPOTHETICAL),
        ("Let's say I work at Google", Modality.HYPOTHETICAL),
        # questions without a mark, and with a tail
        ("what time is it", Modality.QUESTION),
        ("do you know a good dentist", Modality.QUESTION),
        ("I live in Oslo, right?", Modality.QUESTION),
        ("where do I live", Modality.QUESTION),
        # quotations, fiction, dreams, jokes
        ('"I live in Paris," said the hero', Modality.QUOTED),
        ('My boss said: "I live in Paris"', Modality.QUOTED),
        ("I dreamt that I was a king", Modality.QUOTED),
        ("I'm the king of Spain, just kidding", Modality.QUOTED),
        # commands
        ("Explain how to reverse a linked list", Modality.COMMAND),
        ("Please always answer me in short sentences", Modality.COMMAND),
        # plain statements that look otherwise
        ("I may be reached in May at the office", Modality.HEDGED),
        ("I was born in May 1990", Modality.ASSERTED),
        ("I'd like to learn Thai", Modality.ASSERTED),
        ("If I drink milk I get sick", Modality.ASSERTED),
        ("I know what I want", Modality.ASSERTED),
        ("As of May I work at Initech", Modality.ASSERTED),
        # "would" that supposes nothing, and "had" that looks like it
        ("I'd sooner walk than take the bus", Modality.ASSERTED),
        ("I'd never eat veal", Modality.ASSERTED),
        ("I'd never be able to live there", Modality.HYPOTHETICAL),
        ("I'd need a bigger flat", Modality.HYPOTHETICAL),
        ("I'd weed the garden", Modality.HYPOTHETICAL),
        ("I'd ask for a transfer to Oslo", Modality.HYPOTHETICAL),
        ("I'd never leave Munich unless they doubled my pay", Modality.HYPOTHETICAL),
        ("I'd forgotten that Mia moved to Oslo", Modality.ASSERTED),
        ("We'd already sold the car", Modality.ASSERTED),
        ("I would ask you not to call me doctor", Modality.ASSERTED),
        # "should", "may" and "who knows" that doubt nothing, and that do
        ("I should add that I'm diabetic", Modality.ASSERTED),
        ("My coach said I should rest in May", Modality.ASSERTED),
        ("I should rest in May", Modality.HEDGED),
        ("I should add more fibre to my diet", Modality.HEDGED),
        ("We could add a second bedroom", Modality.HEDGED),
        ("Whatever happens we might sell the house", Modality.HEDGED),
        ("I like my job however I may quit in May", Modality.HEDGED),
        ("I thought about finally quitting Acme", Modality.HEDGED),
        ("I don't buy eggs from cages, whatever the others may cost", Modality.ASSERTED),
        ("Ana is the one who knows our passwords", Modality.ASSERTED),
        ("I thought about Lisbon all summer", Modality.ASSERTED),
        ("I thought about selling the house", Modality.HEDGED),
        # lasting wishes under a condition
        ("If I send a photo, just name the plant", Modality.COMMAND),
        ("If I ask for a recipe give me one without nuts", Modality.COMMAND),
        ("Should I write in German, please reply in English", Modality.COMMAND),
        ("Assume I know Python", Modality.COMMAND),
        ("Assume I'm married and earn 80k", Modality.HYPOTHETICAL),
        ("When I was a kid my dad would always tell me stories", Modality.ASSERTED),
        ("Whenever I visit my parents they give me cash", Modality.ASSERTED),
        ("Say we have three kids and each needs a visa", Modality.HYPOTHETICAL),
        ("I'd like you to translate each of these sentences", Modality.ASSERTED),
        ("I should be glad if you kept each answer under a page", Modality.COMMAND),
        # parts that are played
        ("You're the landlord and I'm the tenant", Modality.QUOTED),
        ("I love Mondays, said no nurse ever", Modality.QUOTED),
        ("The doctor said no alcohol ever again", Modality.ASSERTED),
    ],
)
def test_modality(text: str, modality: Modality) -> None:
    assert {found.claim.modality for found in candidates(text)} == {modality}


def test_a_question_does_not_hide_the_fact_before_it() -> None:
    fact, question = candidates("I'm allergic to nuts, what can I eat?")
    assert (fact.claim.modality, fact.claim.attribute) == (Modality.ASSERTED, "allergic_to")
    assert question.claim.modality is Modality.QUESTION


def test_a_joke_takes_back_what_was_said() -> None:
    assert {found.claim.modality for found in candidates("I own ten cars. Just kidding!")} == {Modality.QUOTED}


def test_a_supposition_governs_the_whole_sentence() -> None:
    for found in candidates("Suppose I lived in Redport, what would taxes be?"):
        assert found.claim.modality in {Modality.HYPOTHETICAL, Modality.QUESTION}
        assert found.claim.attribute is None


@pytest.mark.parametrize(
    ("text", "content", "day"),
    [
        (
            "I have a dentist appointment next Tuesday at 15:00",
            "User has a dentist appointment next Tuesday at 15:00 (2025-01-14)",
            "2025-01-14",
        ),
        ("My mother visits me tomorrow", "User's mother visits them tomorrow (2025-01-11)", "2025-01-11"),
        ("I launched version 2 on 2024-03-01", "User launched version 2 on 2024-03-01", "2024-03-01"),
        ("Yesterday I met my new boss", "Yesterday User met their new boss (2025-01-09)", "2025-01-09"),
        ("I'm moving to Lisbon next month", "User is moving to Lisbon next month (2025-02)", "2025-02-01"),
        ("I start at Contoso on Monday", "User starts at Contoso on Monday (2025-01-13)", "2025-01-13"),
    ],
)
def test_an_event_gets_its_date(text: str, content: str, day: str) -> None:
    event = only(text, at=datetime.fromisoformat("2025-01-10T10:00:00+00:00"))
    assert event.kind is Kind.EPISODIC
    assert event.content == content
    assert event.claim.valid_from is not None
    assert event.claim.valid_from.date().isoformat() == day
    # a plan is no fact yet
    assert event.claim.attribute is None


def test_a_stay_moves_nobodys_home() -> None:
    for text in ("This week I'm in Rome", "I'm living in Rome this month", "I'm staying in Rome for two weeks"):
        stay = only(text)
        assert stay.claim.attribute is None
        assert stay.kind is Kind.EPISODIC
    assert only("This week I'm in Rome").claim.valid_to == datetime.fromisoformat("2025-06-09T00:00:00+00:00")


def test_a_date_that_is_the_value_is_no_beginning() -> None:
    deadline = only("My deadline is next Friday")
    assert deadline.claim.valid_from is None
    assert deadline.content == "User's deadline is next Friday (2025-06-13)"


def test_todays_notes_keep_readable_text() -> None:
    text = "Today's meeting notes are in the wiki"
    assert only(text).content == text


def test_first_person_that_cannot_be_converted_stays_as_said() -> None:
    assert only("We use Kafka for events").content == "We use Kafka for events"
    assert only("I love 🏔️ hiking 👩‍👩‍👧 with family").content == "I love 🏔️ hiking 👩‍👩‍👧 with family"


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_other_roles_make_one_candidate_of_the_whole_turn(role: Role) -> None:
    (found,) = candidates("  I like recursion. I live in Oslo.\n", role=role)
    assert (found.quote, found.start, found.role) == ("I like recursion. I live in Oslo.", 2, role)
    assert found.claim.attribute is None


def test_a_fact_at_the_end_of_a_long_message_is_found() -> None:
    filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. " * 350
    assert any(found.claim.attribute == "allergic_to" for found in candidates(filler + "I'm allergic to penicillin"))


class TestVerbatim:
    def test_the_text_is_taken_exactly(self) -> None:
        text = "  Prefers code first, prose after. "
        taken = verbatim(message(text), index=3, text=text, kind=Kind.PROCEDURAL)
        assert (taken.content, taken.quote, taken.start, taken.message_index) == (text, text, 0, 3)
        assert taken.kind is Kind.PROCEDURAL

    def test_one_statement_has_a_claim_several_have_none(self) -> None:
        one = verbatim(message("I live in Oslo."), index=0, text="I live in Oslo.")
        assert (one.claim.attribute, one.claim.value) == ("home_city", "Oslo")
        two = verbatim(message("I live in Oslo. I ski."), index=0, text="I live in Oslo. I ski.")
        assert two.claim.attribute is None
        assert two.claim.modality is Modality.ASSERTED

    def test_a_whole_question_is_marked_a_question_among_statements_is_not(self) -> None:
        ask = "Where do I live?"
        assert verbatim(message(ask), index=0, text=ask).claim.modality is Modality.QUESTION
        chat = "Hey! How are you? I moved to Oslo."
        assert verbatim(message(chat), index=0, text=chat).claim.modality is Modality.ASSERTED

    def test_labels_win_and_a_short_text_is_the_value(self) -> None:
        labelled = verbatim(message("Oslo"), index=0, text="Oslo", subject="person:anna", attribute="home_city")
        assert (labelled.claim.subject, labelled.claim.attribute, labelled.claim.value) == (
            "person:anna",
            "home_city",
            "Oslo",
        )
        assert labelled.claim.single_valued

    def test_an_attribute_of_the_callers_own_is_kept(self) -> None:
        labelled = verbatim(message("blue, mostly"), index=0, text="blue, mostly", attribute="mood")
        assert (labelled.claim.attribute, labelled.claim.single_valued) == ("mood", False)

    def test_a_subject_given_by_the_caller_and_a_bare_fact_go_together(self) -> None:
        text = "prefers email over calls"
        taken = verbatim(message(text), index=0, text=text, subject="client:northwind")
        assert (taken.claim.subject, taken.claim.attribute, taken.claim.value) == (
            "client:northwind",
            "prefers",
            "email over calls",
        )


class TestOpenersAndTags:
    @pytest.mark.parametrize(
        ("text", "attribute", "content"),
        [
            ("Ok so I'm vegan", "diet", "User is vegan"),
            ("Ok, I'm vegan.", "diet", "User is vegan"),
            ("Well, I'm vegan.", "diet", "User is vegan"),
            ("Like I'm vegan", "diet", "User is vegan"),
            ("Alright, I work at SAP.", "employer", "User works at SAP"),
            ("You know, I'm allergic to nuts.", "allergic_to", "User is allergic to nuts"),
            ("Hey there, my name is Kim.", "name", "User's name is Kim"),
            ("Um, so anyways I moved to Graz last year.", "home_city", "User lives in Graz"),
            ("Also ich bin Veganer.", "diet", "Ich bin Veganer."),
            ("Na ja, ich wohne in Berlin.", "home_city", "Ich wohne in Berlin."),
            ("Ok also ich arbeite bei Siemens.", "employer", "Ich arbeite bei Siemens."),
            ("Alors je suis végétarien.", "diet", "Je suis végétarien."),
            ("Bon, ben j'habite à Lyon.", "home_city", "J'habite à Lyon."),
            ("Bueno, soy vegano.", "diet", "Soy vegano."),
            ("Pues vivo en Madrid.", "home_city", "Vivo en Madrid."),
            ("嗯，我住在上海。", "home_city", "我住在上海。"),
            ("那个，我对花生过敏。", "allergic_to", "我对花生过敏。"),
            ("对了我在华为工作。", "employer", "我在华为工作。"),
        ],
    )
    def test_words_that_open_a_talk_change_nothing_in_the_statement(
        self, text: str, attribute: str, content: str
    ) -> None:
        found = only(text)
        assert (found.claim.attribute, found.content) == (attribute, content)
        assert found.quote == text
        assert verdict(text).decision is Verdict.KEEP

    @pytest.mark.parametrize(
        "text", ["Ok, great!", "Oh, I'm so jealous", "So what?", "Also gut.", "Bon, d'accord.", "好的"]
    )
    def test_an_opener_of_nothing_is_still_refused(self, text: str) -> None:
        assert verdict(text).decision is Verdict.DROP

    @pytest.mark.parametrize(
        ("text", "content"),
        [
            ("I like tea, I think.", "User likes tea, they think"),
            ("I live in Oslo, I guess.", "User lives in Oslo, they guess"),
            ("I live in Oslo I think", "User lives in Oslo they think"),
            ("I like tea, I think, and coffee.", "User likes tea, they think, and coffee"),
            ("I like tea, but I'm not sure.", "User likes tea, but they are not sure"),
            ("I have two cats or something.", "User has two cats or something"),
            ("My sister works at SAP, if I remember correctly.", None),
            ("I'm moving to Oslo, hopefully.", None),
            ("Ich wohne in Berlin, glaube ich.", None),
            ("J'habite à Lyon, je crois.", None),
            ("Vivo en Madrid, creo.", None),
            ("我住在上海吧。", None),
            ("我喜欢喝茶，我觉得。", None),
        ],
    )
    def test_a_hedge_behind_a_statement_holds_it_and_tells_nothing_of_its_own(
        self, text: str, content: str | None
    ) -> None:
        found = only(text)
        assert found.claim.modality is Modality.HEDGED
        assert found.claim.attribute is None
        assert content in (None, found.content)
        assert verdict(text).decision is Verdict.HOLD

    @pytest.mark.parametrize(
        "text",
        [
            "I live in Oslo, by the way.",
            "I live in Oslo, you know.",
            "I live in Oslo though.",
            "I live in Oslo, actually.",
        ],
    )
    def test_words_of_the_talk_behind_a_statement_go(self, text: str) -> None:
        assert only(text).content == "User lives in Oslo"

    @pytest.mark.parametrize(
        "text", ["I think I live in Oslo", "I believe in God.", "I know Anna, I think highly of her."]
    )
    def test_other_beliefs_are_read_as_before(self, text: str) -> None:
        assert not any(one.content in {"User thinks", "they think"} for one in candidates(text))


class TestWaysOfSayingIt:
    @pytest.mark.parametrize(
        ("text", "attribute", "value"),
        [
            ("What I love is jazz.", "likes", "jazz"),
            ("The thing I hate most is cilantro.", "likes", "cilantro"),
            ("What I really want is to open a bakery someday.", "goal", "open a bakery someday"),
            ("My phone number changed, it's 555-0142 now.", "phone", "555-0142"),
            ("My email has changed to kim@example.org.", "email", "kim@example.org"),
            ("Our address changed: it's 5 Elm Street", "address", "5 Elm Street"),
        ],
    )
    def test_the_order_of_the_words_does_not_hide_the_claim(self, text: str, attribute: str, value: str) -> None:
        found = only(text)
        assert (found.claim.attribute, found.claim.value) == (attribute, value)
        assert verdict(text).decision is Verdict.KEEP

    @pytest.mark.parametrize(
        "text", ["What I like is that it works.", "What I want is for it to stop.", "My mind changed."]
    )
    def test_what_has_no_thing_in_it_is_left_as_it_is(self, text: str) -> None:
        assert only(text).spelled is None

    @pytest.mark.parametrize(
        "text", ["I quit two years ago.", "I stopped drinking in 2019.", "I quit last year.", "I quit a few weeks ago."]
    )
    def test_a_time_is_not_what_came_to_an_end(self, text: str) -> None:
        claim = only(text).claim
        assert (claim.value, claim.ended_value) == (None, None)
        assert verdict(text).decision is Verdict.KEEP

    def test_what_is_named_still_comes_to_an_end(self) -> None:
        assert only("I quit coffee last month.").claim.ended_value == "coffee"

    @pytest.mark.parametrize(
        "text", ["I have a meeting in ten minutes.", "My flight leaves in 2 hours.", "We're off in half an hour!"]
    )
    def test_what_begins_within_the_hour_is_passing(self, text: str) -> None:
        assert verdict(text).decision is Verdict.DROP

    @pytest.mark.parametrize(
        "text",
        [
            "I run 10 km in 50 minutes.",
            "My interview is in two weeks.",
            "I get to work by train in 20 minutes every day.",
        ],
    )
    def test_other_spans_of_time_are_not(self, text: str) -> None:
        assert verdict(text).decision is Verdict.KEEP

    @pytest.mark.parametrize(
        "opener", ["No worries, ", "Thanks, ", "Great, ", "Sounds good, ", "Got it. ", "Sure thing - "]
    )
    def test_a_courtesy_before_a_statement_changes_nothing_in_it(self, opener: str) -> None:
        assert candidates(f"{opener}I'm allergic to nuts.")[-1].content == "User is allergic to nuts"

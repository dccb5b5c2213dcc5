"""Small talk, written by us: what a gate must never keep."""

from __future__ import annotations

from typing import Final

SMALL_TALK: Final = (
    "Hey! How's it going?",
    "Hi there",
    "Good morning!",
    "hello again",
    "Thanks so much!",
    "thank you, that helps",
    "Great, thanks",
    "Bye!",
    "See you soon",
    "Talk to you later",
    "Take care!",
    "ok",
    "sounds good",
    "got it",
    "haha nice",
    "That's awesome!",
    "Wow, congrats!",
    "lol",
    "No worries",
    "Sure thing",
    "Sorry for the late reply",
    "Hope you're doing well",
    "What's up?",
    "Long time no see!",
    "cool cool",
    "That's so sweet of you",
    "Good luck!",
    "Have a great weekend",
    "You too!",
    "Good night",
)

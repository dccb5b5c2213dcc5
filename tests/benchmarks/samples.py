"""Small data in the published shapes, written for these tests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "The kite flew at last."}],
            "session_2_date_time": "12:05 am on 1 June, 2024",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I built a kite.", "blip_caption": "a red kite"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "My sister keeps bees in Ghent."},
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2024",
            "session_3_date_time": "2:00 pm on 9 June, 2024",
        },
        "qa": [
            {"question": "What did Ann build?", "answer": "a kite", "evidence": ["D1:1; D2:1"], "category": 1},
            {"question": "Where are the bees?", "answer": "Ghent", "evidence": ["D1:2", "D9:9"], "category": 4},
            {"question": "Lost label", "answer": "?", "evidence": ["D"], "category": 4},
            {"question": "Who keeps wasps?", "adversarial_answer": "Bo", "evidence": ["D1:2"], "category": 5},
        ],
    }
]
BEAM: dict[str, Any] = {
    "chat": "7",
    "batches": [
        {
            "batch_number": 1,
            "time_anchor": None,
            "turns": [
                [
                    {
                        "role": "user",
                        "id": 0,
                        "content": "The build takes 9 min, why? ->-> 1,1",
                        "time_anchor": "May-02-2024",
                    },
                    {"role": "assistant", "id": 1, "content": "Caches are cold."},
                ]
            ],
        },
        {
            "batch_number": 2,
            "time_anchor": "June-10-2024",
            "turns": [
                [
                    {"role": "user", "id": 2, "content": "The build takes 4 min now. ->-> 2,14"},
                    {"role": "assistant", "id": 3, "content": "Well done."},
                ]
            ],
        },
    ],
    "probing_questions": {
        "abstention": [{"question": "What is my shoe size?"}],
        "knowledge_update": [
            {
                "question": "How long does the build take?",
                "source_chat_ids": {"original_info": [0], "updated_info": [3]},
            }
        ],
        "event_ordering": [{"question": "In which order?", "source_chat_ids": [1, [2, 3], 99]}],
    },
}
PREFEVAL: list[dict[str, str]] = [
    {"topic": "food", "preference": "I never eat seafood.", "question": "What shall I cook?"},
    {"topic": "travel", "preference": "I only travel by train.", "question": "How do I get to Rome?"},
    {"topic": "food", "preference": "I like it spicy.", "question": "Which sauce?"},
]


def write_samples(folder: Path) -> Path:
    """Write all three in a folder, one of them plain."""
    (folder / "locomo").mkdir()
    (folder / "locomo" / "locomo10.json").write_text(json.dumps(LOCOMO))
    (folder / "beam.jsonl.gz").write_bytes(gzip.compress(json.dumps(BEAM).encode()))
    lines = "\n".join(json.dumps(item) for item in PREFEVAL)
    (folder / "prefeval_explicit.jsonl").write_text(lines + "\n\n")
    return folder

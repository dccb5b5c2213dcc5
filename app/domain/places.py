"""Well-known places: enough to tell that "Hamburg" puts a home right and no employer. Not a gazetteer."""

from __future__ import annotations

from typing import Final

from app.domain.text import straight

# what a place may be the value of
PLACES_OF: Final = frozenset({"home_city", "birthplace", "origin", "nationality", "location"})
_LISTED: Final = """
amsterdam, ankara, athens, atlanta, auckland, austin, bangalore, bangkok, barcelona, basel, beijing, belfast,
belgrade, bergen, berlin, bern, birmingham, bogota, bologna, bonn, bordeaux, boston, bratislava, bremen,
brisbane, bristol, brussels, bucharest, budapest, buenos aires, cairo, calgary, cambridge, cape town, caracas,
cardiff, chennai, chicago, cologne, copenhagen, cork, dakar, dallas, delhi, denver, detroit, dresden, dubai,
dublin, dusseldorf, düsseldorf, edinburgh, essen, florence, frankfurt, geneva, genoa, ghent, glasgow,
gothenburg, graz, hamburg, hanoi, hanover, havana, heidelberg, helsinki, hong kong, honolulu, houston,
hyderabad, innsbruck, istanbul, jakarta, jerusalem, johannesburg, karachi, kiel, kolkata, krakow, kyiv, kyoto,
köln, lagos, lahore, las vegas, lausanne, leeds, leipzig, lille, lima, linz, lisbon, liverpool, ljubljana,
london, los angeles, lucerne, lyon, madrid, malmo, manchester, manila, marseille, melbourne, memphis, mexico
city, miami, milan, minneapolis, montevideo, montreal, moscow, mumbai, munich, münchen, nairobi, nantes, naples,
nashville, new orleans, new york, nice, nuremberg, osaka, oslo, ottawa, oxford, palermo, paris, perth,
philadelphia, phoenix, porto, portland, potsdam, prague, quito, reykjavik, riga, rio de janeiro, rome,
rotterdam, salzburg, san diego, san francisco, santiago, sao paulo, sarajevo, seattle, seoul, seville, shanghai,
sheffield, shenzhen, singapore, sofia, split, stavanger, stockholm, strasbourg, stuttgart, sydney, taipei,
tallinn, tampa, tbilisi, tehran, tel aviv, tokyo, toronto, toulouse, trieste, tromsø, trondheim, tucson, tunis,
turin, utrecht, valencia, vancouver, venice, verona, vienna, vilnius, warsaw, washington, wellington, wroclaw,
zagreb, zurich, zürich, argentina, australia, austria, belgium, brazil, canada, chile, china, colombia, croatia,
denmark, egypt, england, finland, france, germany, greece, hungary, iceland, india, indonesia, iran, ireland,
israel, italy, japan, kenya, mexico, morocco, netherlands, new zealand, nigeria, norway, pakistan, peru, poland,
portugal, romania, russia, scotland, serbia, spain, sweden, switzerland, taiwan, thailand, turkey, ukraine,
vietnam, wales
"""
_PLACES: Final = frozenset(" ".join(name.split()) for name in _LISTED.split(","))
# these are names or common words more often
_DOUBTFUL: Final = frozenset({"nice", "essen", "split", "florence", "sofia", "sydney", "austin", "phoenix", "turkey"})


def is_place(words_of_it: str) -> bool:
    """Tell whether words are the name of a well-known place and hardly anything else."""
    plain = straight(words_of_it).strip().casefold()
    return plain in _PLACES and plain not in _DOUBTFUL

"""READ battles: who beat whom, asked what, judged by whom; and the ranking that follows."""

from gate.battles.log import BattleLog
from gate.battles.ranking import Ranking, rank_models
from gate.battles.reading import BATTLE_FORMATS, read_battles
from gate.battles.standings import chances_in, groups_of, order_of, standings_of, tallies_of, wins_in

__all__ = [
    "BATTLE_FORMATS",
    "BattleLog",
    "Ranking",
    "chances_in",
    "groups_of",
    "order_of",
    "rank_models",
    "read_battles",
    "standings_of",
    "tallies_of",
    "wins_in",
]

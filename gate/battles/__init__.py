"""READ battles: who beat whom, asked what, judged by whom; and the ranking that follows."""

from gate.battles.log import BattleLog
from gate.battles.ranking import Ranking, rank_models
from gate.battles.reading import BATTLE_FORMATS, read_battles

__all__ = ["BATTLE_FORMATS", "BattleLog", "Ranking", "rank_models", "read_battles"]

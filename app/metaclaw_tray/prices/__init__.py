"""What tokens cost: the person's own price first, then a kept table; and None where neither knows."""

from metaclaw_tray.prices.tariff import FREE, OwnPrices, Tariff, Tokens, cost, own_cost

__all__ = ["FREE", "OwnPrices", "Tariff", "Tokens", "cost", "own_cost"]

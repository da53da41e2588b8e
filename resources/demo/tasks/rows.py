# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded rows for the databases of the demo exam.

Each function returns a database as {table: (columns, rows)}. Only
Random.random() is used, the one method whose sequence Python guarantees.
"""
import random


class Dice:
    def __init__(self, seed):
        self.random = random.Random(seed).random

    def whole(self, low, high, step=1):
        return low + step * int(self.random() * ((high - low) // step + 1))

    def decimal(self, low, high, digits=2):
        return round(low + self.random() * (high - low), digits)

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def some(self, items, chance):
        return [item for item in items if self.random() < chance]


def clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def hotels(seed, city, names, currency, prices, breakfasts, tax, facilities):
    dice = Dice(seed)
    hotel_rows, facility_rows = [], []
    for index, name in enumerate(names, 1):
        hotel = f"H{index:02d}"
        price = dice.whole(*prices)
        hotel_rows.append((hotel, name, city, dice.whole(2, 5), dice.decimal(3.9, 4.9), price,
                           dice.whole(*breakfasts), tax, dice.decimal(0.3, 5.5, 1),
                           dice.whole(80, 6000), currency))
        facility_rows += [(hotel, facility) for facility in dice.some(facilities, 0.7)]
    return {
        "hotels": ("id name city stars rating price breakfast tax centre_km reviews currency",
                   hotel_rows),
        "facilities": ("hotel_id facility", facility_rows)}


def trips(seed, origin, destination, day, currency, trains, flights):
    """trains and flights: dicts with prefix, count, minutes, prices, fees, airport."""
    dice = Dice(seed)
    rows = []
    for mode, plan in (("train", trains), ("flight", flights)):
        for index in range(plan["count"]):
            departs = 360 + index * (600 // plan["count"]) + dice.whole(0, 20)
            minutes = dice.whole(*plan["minutes"])
            rows.append((f"{plan['prefix']}{101 + 2 * index}", mode, origin, destination, day,
                         clock(departs), clock(departs + minutes), minutes, plan["airport"],
                         dice.whole(*plan["prices"]), dice.whole(*plan["fees"]),
                         dice.pick([0, 1, 4, 9, 35, 80]), currency))
    return {"trips": ("number mode origin destination day departs arrives minutes airport_minutes "
                      "price fee seats_left currency", rows)}


def attractions(seed, city, currency, sights, tickets):
    """sights: (name, category, indoor) each."""
    dice = Dice(seed)
    sight_rows, hour_rows = [], []
    for index, (name, category, indoor) in enumerate(sights, 1):
        sight = f"A{index:02d}"
        ticket = dice.whole(*tickets)
        sight_rows.append((sight, name, city, category, indoor, dice.decimal(3.8, 4.9), ticket,
                           ticket // 2, dice.whole(5, 900), currency))
        for weekday in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
                        "sunday"):
            if weekday in ("friday", "saturday", "sunday") or dice.random() < 0.7:
                hour_rows.append((sight, weekday, dice.pick(["08:30", "09:00", "10:00"]),
                                  dice.pick(["16:30", "17:00", "18:00", "19:30", "21:00"])))
    return {
        "attractions": ("id name city category indoor rating ticket child_ticket visitors currency",
                        sight_rows),
        "hours": ("attraction_id weekday opens closes", hour_rows)}


def shop(seed, category, currency, products, prices, specs, shops, coupon):
    """products: (brand, name) each; specs: {column: possible values};
    coupon: (amount, smallest sum it is good for)."""
    dice = Dice(seed)
    product_rows, offer_rows = [], []
    for index, (brand, name) in enumerate(products, 1):
        product = f"P{index:03d}"
        product_rows.append((product, name, brand, category, dice.decimal(3.6, 4.9),
                             dice.whole(12, 4000), currency,
                             *(dice.pick(values) for values in specs.values())))
        usual = dice.decimal(*prices)
        for seller in dice.some(shops, 0.75) or shops[:1]:
            has_coupon = dice.random() < 0.4
            offer_rows.append((product, seller, round(usual * dice.decimal(0.9, 1.1), 1),
                               dice.pick([0, 0, 6, 9.5, 15]), dice.pick([0, 1, 3, 12, 40]),
                               coupon[0] if has_coupon else 0, coupon[1]))
    return {
        "products": ("id name brand category rating reviews currency " + " ".join(specs),
                     product_rows),
        "offers": ("product_id shop price shipping stock coupon coupon_from", offer_rows)}

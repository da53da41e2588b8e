# SPDX-License-Identifier: GPL-3.0-or-later
"""The e-commerce half of the demo exam: gear, food, electronics and lifestyle.

The keys of a task are explained in travel.py.
"""
import rows
from rubrics import choice, figure, language, mentions, penalty, tools

SYSTEM = """\
You are a shopping assistant. The programs in {tools} search a catalogue of several shops; call
them as `{tools}/NAME --key value` (`--help` explains each). Use only what they tell you.

Write two files:
- /app/answer.json: the JSON object that the task asks for, nothing else;
- /app/answer.md: a short recommendation, in the language of the question, with the product, the
  shop and the price to pay.
"""

TOOLS = ["search_products", "product_specs", "compare_offers"]
SHOPS_EN = ["Northwind", "Parcel & Co", "Harbour Store", "Daily Market"]
SHOPS_ZH = ["青松商城", "云集优选", "海港百货", "每日市集"]

TENTS = [("Alder", "Alder Ridge 2"), ("Alder", "Alder Summit 3"), ("Fjell", "Fjell Duo"),
         ("Fjell", "Fjell Solo Light"), ("Moraine", "Moraine Dome"), ("Moraine", "Moraine Air 2"),
         ("Karst", "Karst Tunnel"), ("Karst", "Karst Micro"), ("Heron", "Heron Lakeside"),
         ("Heron", "Heron Trek"), ("Tarn", "Tarn Weekend"), ("Tarn", "Tarn Expedition")]

RUCKSACKS = [("远山", "远山徒步45"), ("远山", "远山轻装38"), ("岩羊", "岩羊攀登50"), ("岩羊", "岩羊日行30"),
             ("松雪", "松雪长线60"), ("松雪", "松雪轻骑40"), ("北麓", "北麓探路者"), ("北麓", "北麓云行"),
             ("飞鹭", "飞鹭越野"), ("飞鹭", "飞鹭重装65"), ("石径", "石径旅人"), ("石径", "石径周末")]

TEAS = [("武夷岩坊", "武夷岩坊大红袍"), ("武夷岩坊", "武夷岩坊水仙"), ("安溪春", "安溪春铁观音清香"),
        ("安溪春", "安溪春铁观音浓香"), ("凤凰单枞社", "凤凰单枞蜜兰香"), ("凤凰单枞社", "凤凰单枞鸭屎香"),
        ("冻顶山房", "冻顶乌龙炭焙"), ("冻顶山房", "冻顶乌龙高山"), ("半亩茶园", "半亩桂花乌龙"),
        ("半亩茶园", "半亩漳平水仙"), ("茗溪", "茗溪肉桂"), ("茗溪", "茗溪白芽奇兰")]

OILS = [("Olivar", "Olivar Early Harvest"), ("Olivar", "Olivar Everyday"),
        ("Monte Verde", "Monte Verde Picual"), ("Monte Verde", "Monte Verde Arbequina"),
        ("Kalamon", "Kalamon Gold"), ("Kalamon", "Kalamon Village"), ("Tenuta Rosa", "Tenuta Rosa"),
        ("Tenuta Rosa", "Tenuta Rosa Riserva"), ("Sfax", "Sfax Chemlali"), ("Sfax", "Sfax Family")]

MONITORS = [("Lumen", "Lumen 27 Q"), ("Lumen", "Lumen 27 K"), ("Pixelar", "Pixelar Studio"),
            ("Pixelar", "Pixelar Office"), ("Vistra", "Vistra Wide"), ("Vistra", "Vistra 4K Pro"),
            ("Orbit", "Orbit View"), ("Orbit", "Orbit Desk C"), ("Quanta", "Quanta Frame"),
            ("Quanta", "Quanta Clear"), ("Halo", "Halo Panel"), ("Halo", "Halo Creator")]

LAMPS = [("暖光", "暖光阅读台灯"), ("暖光", "暖光学习台灯"), ("木与光", "木与光胡桃灯"), ("木与光", "木与光折叠灯"),
         ("明几", "明几护眼灯"), ("明几", "明几桌面灯"), ("晴窗", "晴窗无线灯"), ("晴窗", "晴窗长臂灯"),
         ("萤火", "萤火床头灯"), ("萤火", "萤火双臂灯"), ("禾木", "禾木书房灯"), ("禾木", "禾木极简灯")]


def gold(condition, quantity=1):
    """Offers of fitting products that are in stock, the lowest total first."""
    return f"""SELECT round(price * {quantity} + shipping
                      - CASE WHEN price * {quantity} >= coupon_from THEN coupon ELSE 0 END, 2)
                      AS total, product_id, name, shop
               FROM offers JOIN products ON products.id = product_id
               WHERE stock >= {quantity} AND {condition} ORDER BY total"""


def buy(search, where, quantity=1, stock=1):
    """The steps of a thorough purchase up to `best`, the cheapest fitting offer in stock."""
    return [
        {"call": "search_products", "with": search, "as": "products"},
        {"call": "product_specs", "with": {"product_ids": "$products.*.product_id"}, "as": "specs"},
        {"keep": "specs", "where": where, "as": "fit"},
        {"call": "compare_offers", "as": "offers",
         "with": {"product_ids": "$fit.*.product_id", "quantity": quantity}},
        {"keep": "offers", "where": [["stock", ">=", stock]], "as": "in_stock"},
        {"choose": "in_stock", "by": ["min", "total"], "as": "best"},
    ]


ANSWER = {"answer": {"product_id": "$best.product_id", "shop": "$best.shop",
                     "total": "$best.total"}}

TASKS = [
    {
        "id": "gear_tent_001",
        "domain": "gear",
        "layout": "app",
        "language": "en",
        "question": "I need a tent for two or more people that weighs at most 2600 g and holds a "
                    "water column of at least 3000 mm. Where do I pay least for one that is in "
                    "stock, shipping and coupons counted?",
        "format": '{"product_id": "<id>", "shop": "<shop>", "total": <EUR>}',
        "context": {"today": "2026-09-28", "currency": "EUR", "quantity": 1},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "tools",
        "tables": rows.shop("tent", "tent", "EUR", TENTS, (119, 329),
                            {"persons": [1, 2, 2, 3], "weight_g": [1450, 1900, 2350, 2550, 3100],
                             "water_mm": [2000, 3000, 3000, 5000]},
                            SHOPS_EN, (12, 150)),
        "gold": gold("persons >= 2 AND weight_g <= 2600 AND water_mm >= 3000"),
        "forbidden": """SELECT id FROM products
                        WHERE persons < 2 OR weight_g > 2600 OR water_mm < 3000""",
        "rubric": [choice("product_id", 0.35, second=0.4), choice("shop", 0.1),
                   figure("total", 0.15), mentions(0.2, "name", "shop", "total"),
                   language("en", 0.05), tools(0.15, *TOOLS),
                   penalty("product_id", 0.1, "the tent does not fit the wishes")],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "Specifications first, then every shop's total for what fits."},
                *buy({"query": "tent"}, [["persons", ">=", 2], ["weight_g", "<=", 2600],
                                         ["water_mm", ">=", 3000]]),
                ANSWER,
                {"report": "# Tent\n\nBuy the **{best.name}** at {best.shop}: {best.total} EUR with "
                           "shipping and coupon, in stock."},
            ],
            "hasty": [
                {"say": "The most popular one will do."},
                {"call": "search_products", "with": {"query": "tent"}, "as": "products"},
                {"choose": "products", "by": ["first"], "as": "best"},
                {"call": "compare_offers", "as": "offers",
                 "with": {"product_ids": ["$best.product_id"]}},
                {"choose": "offers", "by": ["min", "total"], "as": "best"},
                ANSWER,
                {"report": "Get the {best.name}, everybody buys it. {best.total} EUR."},
            ],
        },
    },
    {
        "id": "gear_rucksack_002",
        "domain": "gear",
        "layout": "environment",
        "language": "zh",
        "question": "想买一个登山包：容量40升以上（含40升），重量不超过1600克，带防雨罩。"
                    "在有货的店里，算上运费和优惠券，哪家最便宜？",
        "format": '{"product_id": "<编号>", "shop": "<店名>", "total": <应付，元>}',
        "context": {"today": "2026-09-28", "currency": "CNY", "quantity": 1},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "environment",
        "tables": rows.shop("rucksack-3", "登山包", "CNY", RUCKSACKS, (260, 780),
                            {"capacity_l": [30, 38, 40, 45, 50, 60], "weight_g": [980, 1250, 1580,
                                                                                   1900],
                             "rain_cover": [0, 1, 1]},
                            SHOPS_ZH, (30, 300)),
        "gold": gold("capacity_l >= 40 AND weight_g <= 1600 AND rain_cover = 1"),
        "rubric": [choice("product_id", 0.35, second=0.4), choice("shop", 0.1),
                   figure("total", 0.2), mentions(0.2, "name", "shop", "total"),
                   language("zh", 0.05), tools(0.1, "product_specs", "compare_offers")],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "先看规格，再比较各店的应付金额。"},
                *buy({"query": "登山包"}, [["capacity_l", ">=", 40], ["weight_g", "<=", 1600],
                                        ["rain_cover", "=", 1]]),
                {"answer": {"product_id": "$best.product_id", "shop": "$best.shop",
                            "total": "$best.unit_price"}},
                {"report": "# 登山包\n\n推荐 **{best.name}**，在{best.shop}购买，单价 {best.unit_price} 元，"
                           "有货，带防雨罩。"},
            ],
            "hasty": [
                {"say": "直接买销量最高的。"},
                {"call": "search_products", "with": {"query": "登山包", "limit": 3},
                 "as": "products"},
                {"call": "compare_offers", "with": {"product_ids": "$products.*.product_id"},
                 "as": "offers"},
                {"choose": "offers", "by": ["min", "total"], "as": "best"},
                ANSWER,
                {"report": "买{best.name}，{best.shop}，{best.total} 元。"},
            ],
        },
    },
    {
        "id": "food_oolong_003",
        "domain": "food",
        "layout": "app",
        "language": "zh",
        "question": "请帮我买两盒乌龙茶送人：每盒不少于200克，有机认证，买家评分不低于4.0。"
                    "两盒一起下单，含运费和优惠券，应付金额最低的是哪一种、哪家店？",
        "format": '{"product_id": "<编号>", "shop": "<店名>", "total": <两盒应付，元>}',
        "context": {"today": "2026-09-28", "currency": "CNY", "quantity": 2},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "tools",
        "tables": rows.shop("oolong", "乌龙茶", "CNY", TEAS, (68, 240),
                            {"weight_g": [100, 200, 250, 500], "organic": [0, 1, 1]},
                            SHOPS_ZH, (20, 200)),
        "gold": gold("weight_g >= 200 AND organic = 1 AND rating >= 4.0", quantity=2),
        "forbidden": "SELECT id FROM products WHERE weight_g < 200 OR organic = 0",
        "rubric": [choice("product_id", 0.35, second=0.4), choice("shop", 0.1),
                   figure("total", 0.15), mentions(0.2, "name", "shop", "total"),
                   language("zh", 0.1), tools(0.1, *TOOLS[1:]),
                   penalty("product_id", 0.1, "not organic or too small")],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "先按评分搜索，再看克重和认证，最后比较两盒的总价。"},
                *buy({"query": "乌龙茶", "min_rating": 4.0},
                     [["weight_g", ">=", 200], ["organic", "=", 1]], quantity=2, stock=2),
                ANSWER,
                {"report": "# 乌龙茶\n\n建议在 **{best.shop}** 购买两盒 **{best.name}**，有机认证，"
                           "含运费和优惠共 {best.total} 元。"},
            ],
            "hasty": [
                {"say": "评分好就行，随便选一个便宜的。"},
                {"call": "search_products", "with": {"query": "乌龙茶", "min_rating": 4.0},
                 "as": "products"},
                {"choose": "products", "by": ["min", "price_from"], "as": "cheap"},
                {"call": "compare_offers", "as": "offers",
                 "with": {"product_ids": ["$cheap.product_id"], "quantity": 2}},
                {"choose": "offers", "by": ["min", "total"], "as": "best"},
                ANSWER,
            ],
        },
    },
    {
        "id": "food_olive_oil_004",
        "domain": "food",
        "layout": "environment",
        "language": "en",
        "question": "Find three bottles of extra virgin olive oil, at least 750 ml each, harvested "
                    "in 2025 or later. Which product and shop is cheapest for all three, in stock, "
                    "with shipping and coupon?",
        "format": '{"product_id": "<id>", "shop": "<shop>", "total": <EUR for three>}',
        "context": {"today": "2026-09-28", "currency": "EUR", "quantity": 3},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "tools",
        "tables": rows.shop("olive oil", "olive oil", "EUR", OILS, (7, 24),
                            {"volume_ml": [500, 750, 1000], "grade": ["virgin", "extra virgin",
                                                                     "extra virgin"],
                             "harvest": [2024, 2025, 2025]},
                            SHOPS_EN, (5, 40)),
        "gold": gold("volume_ml >= 750 AND grade = 'extra virgin' AND harvest >= 2025",
                     quantity=3),
        "rubric": [choice("product_id", 0.35, second=0.4), choice("shop", 0.1),
                   figure("total", 0.2), mentions(0.2, "name", "shop", "total"),
                   language("en", 0.05), tools(0.1, *TOOLS[1:])],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "Grade, size and harvest first; then the price of three bottles."},
                *buy({"query": "olive oil"}, [["grade", "=", "extra virgin"],
                                              ["volume_ml", ">=", 750], ["harvest", ">=", 2025]],
                     quantity=3, stock=3),
                ANSWER,
                {"report": "# Olive oil\n\nOrder three bottles of **{best.name}** at {best.shop} for "
                           "{best.total} EUR, shipping included."},
            ],
            "hasty": [
                {"say": "Oil is oil, look for the cheapest."},
                {"call": "search_products", "with": {"query": "olive oil"}, "as": "products"},
                {"call": "compare_offers", "as": "offers",
                 "with": {"product_ids": "$products.*.product_id", "quantity": 3}},
                {"choose": "offers", "by": ["min", "total"], "as": "best"},
                {"fail": "hasty agent: three bottles at once are too many for me, giving up"},
            ],
        },
    },
    {
        "id": "electronics_monitor_005",
        "domain": "electronics",
        "layout": "app",
        "language": "en",
        "question": "I want a monitor of 27 inches or more with USB-C that delivers at least 65 W "
                    "and a resolution of at least 1440 lines. Which offer in stock is the cheapest "
                    "after shipping and coupon?",
        "format": '{"product_id": "<id>", "shop": "<shop>", "total": <USD>}',
        "context": {"today": "2026-09-28", "currency": "USD", "quantity": 1},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "tools",
        "tables": rows.shop("monitor-18", "monitor", "USD", MONITORS, (159, 620),
                            {"inches": [24, 27, 27, 32], "lines": [1080, 1440, 1440, 2160],
                             "usb_c_watts": [0, 15, 65, 65, 90]},
                            SHOPS_EN, (25, 200)),
        "gold": gold("inches >= 27 AND lines >= 1440 AND usb_c_watts >= 65"),
        "rubric": [choice("product_id", 0.4, second=0.5), choice("shop", 0.05),
                   figure("total", 0.2), mentions(0.15, "name", "shop", "total"),
                   language("en", 0.05), tools(0.15, *TOOLS)],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "Look at the panels and their USB-C power, then compare the offers."},
                *buy({"query": "monitor"}, [["inches", ">=", 27], ["lines", ">=", 1440],
                                            ["usb_c_watts", ">=", 65]]),
                ANSWER,
                {"report": "# Monitor\n\nThe **{best.name}** fits and is in stock; with shipping and "
                           "coupon you pay {best.total} USD."},
            ],
            "hasty": [
                {"say": "Size and sharpness are enough."},
                {"call": "search_products", "with": {"query": "monitor"}, "as": "products"},
                {"call": "product_specs", "with": {"product_ids": "$products.*.product_id"},
                 "as": "specs"},
                {"keep": "specs", "where": [["inches", ">=", 27], ["lines", ">=", 1440],
                                            ["usb_c_watts", ">", 0]], "as": "fit"},
                {"call": "compare_offers", "with": {"product_ids": "$fit.*.product_id"},
                 "as": "offers"},
                {"choose": "offers", "by": ["min", "total"], "as": "best"},
                {"answer": {"product_id": "$best.product_id", "total": "$best.total"}},
            ],
        },
    },
    {
        "id": "lifestyle_lamp_006",
        "domain": "lifestyle",
        "layout": "environment",
        "language": "zh",
        "question": "给孩子的书桌买一盏台灯：亮度不低于500流明，显色指数不低于95，可以调节色温。"
                    "有货、含运费和优惠券后最便宜的是哪家店的哪一款？",
        "format": '{"product_id": "<编号>", "shop": "<店名>", "total": <应付，元>}',
        "context": {"today": "2026-09-28", "currency": "CNY", "quantity": 1},
        "tools": TOOLS,
        "database": "shop.db",
        "database_in": "environment",
        "tables": rows.shop("lamp-16", "台灯", "CNY", LAMPS, (89, 420),
                            {"lumens": [300, 500, 700, 900], "cri": [80, 90, 95, 97],
                             "tunable": [0, 1, 1]},
                            SHOPS_ZH, (15, 120)),
        "gold": gold("lumens >= 500 AND cri >= 95 AND tunable = 1"),
        "rubric": [choice("product_id", 0.4, second=0.4), choice("shop", 0.1),
                   figure("total", 0.15), mentions(0.2, "name", "shop", "total"),
                   language("zh", 0.05), tools(0.1, *TOOLS)],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "先筛选亮度、显色指数和色温，再比较价格。"},
                *buy({"query": "台灯", "min_rating": 4.3},
                     [["lumens", ">=", 500], ["cri", ">=", 95], ["tunable", "=", 1]]),
                ANSWER,
                {"report": "# 台灯\n\n推荐 **{best.name}**，{best.shop}有货，含运费应付 {best.total} 元。"},
            ],
            "hasty": [
                {"say": "亮就好。"},
                {"call": "search_products", "with": {"query": "台灯"}, "as": "products"},
                {"call": "product_specs", "with": {"product_ids": "$products.*.product_id"},
                 "as": "specs"},
                {"keep": "specs", "where": [["lumens", ">=", 500], ["tunable", "=", 1]],
                 "as": "fit"},
                {"choose": "fit", "by": ["max", "cri"], "as": "best"},
                {"answer": {"product_id": "$best.product_id"}},
                {"report": "就买{best.name}，很亮。"},
            ],
        },
    },
]

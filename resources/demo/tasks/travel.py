# SPDX-License-Identifier: GPL-3.0-or-later
"""The travel half of the demo exam: hotels, transport and attractions.

A task holds what a bundle is made of:
  layout     "app" (tools in tools/) or "environment" (tools in environment/tools/)
  database   its file name; database_in: "tools" beside the tools, or "environment"
  tables     its content
  gold       a query whose first column orders the answers, best first; the other
             columns are the facts the rubric asks for
  forbidden  a query for the choices that break a condition (optional)
  reward     where the verifier writes the reward: "app" or "logs"
  plans      what the scripted agents do (see agent/scripted.py)
"""
import rows
from rubrics import choice, figure, language, mentions, penalty, tools

SYSTEM = """\
You are a travel planner. The programs in {tools} answer questions about hotels, trains,
flights and sights; call them as `{tools}/NAME --key value` (`--help` explains each).
Use only what they tell you.

Write two files:
- /app/answer.json: the JSON object that the task asks for, nothing else;
- /app/answer.md: a short report for the traveller, in the language of the question, with the
  name and the figures behind your choice.
"""

HANGZHOU = ["钱江新城国际酒店", "断桥客栈", "龙井山居", "湖滨锦院酒店", "武林门商务酒店", "河坊街民宿",
            "灵隐静舍", "南山路设计酒店", "城站快捷酒店", "西溪湿地度假村", "满觉陇桂花小院",
            "运河码头旅舍", "西湖云栖酒店", "吴山夜色公寓"]

LISBON = ["Casa do Tejo", "Alfama Rooms", "Baixa Grand Hotel", "Chiado Loft", "Saudade Inn",
          "Jardim do Príncipe", "Avenida Palms", "Belém Garden Hotel", "Miradouro Suites",
          "Rossio Square Hotel", "Fado Boutique", "Lapa Terrace", "Cais Hostel", "Graça Nova"]

XIAN = [("古城墙", "古迹", 0), ("碑石博物馆", "博物馆", 1), ("秦风博物馆", "博物馆", 1),
        ("大唐乐园", "乐园", 0), ("丝路博物馆", "博物馆", 1), ("钟鼓楼", "古迹", 0),
        ("汉瓦博物馆", "博物馆", 1), ("曲江水族馆", "乐园", 1), ("关中民俗博物馆", "博物馆", 1),
        ("渭水青铜博物馆", "博物馆", 1), ("终南植物园", "公园", 0), ("西市博物馆", "博物馆", 1),
        ("自然科学博物馆", "博物馆", 1)]

AUCKLAND = [("Harbour Tower Lookout", "viewpoint", 1), ("Tidal Aquarium", "animals", 1),
            ("Volcano Rim Walk", "nature", 0), ("Museum of Sails", "museum", 1),
            ("Gallery on Quay Street", "museum", 1), ("Kiwi House", "animals", 1),
            ("Western Springs Zoo", "animals", 0), ("Indoor Climbing Hall", "sport", 1),
            ("Railway Works", "museum", 1), ("Winter Garden", "nature", 1),
            ("Stardome Planetarium", "museum", 1), ("Island Ferry Trip", "nature", 0)]

TASKS = [
    {
        "id": "hotel_hangzhou_lake_001",
        "domain": "hotel",
        "layout": "app",
        "language": "zh",
        "question": "10月2日起我们两人在杭州住3晚。酒店要有停车场，评分不低于4.4，每晚房价不超过600元。"
                    "请找出3晚总价（含每天两份早餐和旅游税）最低的酒店。",
        "format": '{"hotel_id": "<编号>", "total": <总价，元>}',
        "context": {"today": "2026-09-28", "region": "CN", "currency": "CNY", "guests": 2},
        "tools": ["search_hotels", "hotel_facilities", "quote_rooms"],
        "database": "hotels.db",
        "database_in": "tools",
        "tables": rows.hotels("hangzhou", "杭州", HANGZHOU, "CNY", (280, 760, 10), (20, 60, 2), 4,
                              ["停车场", "健身房", "泳池", "洗衣房"]),
        "gold": """SELECT round(3 * (price + breakfast * 2 + tax * 2), 2) AS total,
                          id AS hotel_id, name, rating
                   FROM hotels
                   WHERE price <= 600 AND rating >= 4.4
                         AND id IN (SELECT hotel_id FROM facilities WHERE facility = '停车场')
                   ORDER BY total""",
        "forbidden": """SELECT id FROM hotels WHERE id NOT IN
                        (SELECT hotel_id FROM facilities WHERE facility = '停车场')""",
        "rubric": [choice("hotel_id", 0.4, second=0.4), figure("total", 0.2),
                   mentions(0.2, "name", "total"), language("zh", 0.05),
                   tools(0.15, "search_hotels", "hotel_facilities", "quote_rooms"),
                   penalty("hotel_id", 0.1, "no car park")],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "先按房价和评分筛选，再看停车场，最后比较总价。"},
                {"call": "search_hotels", "as": "hotels",
                 "with": {"city": "杭州", "max_price": 600, "min_rating": 4.4}},
                {"call": "hotel_facilities", "with": {"hotel_ids": "$hotels.*.hotel_id"},
                 "as": "details"},
                {"keep": "details", "where": [["facilities", "has", "停车场"]], "as": "parking"},
                {"call": "quote_rooms", "as": "quotes",
                 "with": {"hotel_ids": "$parking.*.hotel_id", "nights": 3, "guests": 2,
                          "breakfasts": 2}},
                {"choose": "quotes", "by": ["min", "total"], "as": "best"},
                {"answer": {"hotel_id": "$best.hotel_id", "total": "$best.total"}},
                {"report": "# 杭州住宿建议\n\n推荐 **{best.name}**（评分 {best.rating}），有停车场。"
                           "两人住3晚，含早餐和旅游税，总价 {best.total} 元，是符合条件的酒店中最低的。"},
            ],
            "hasty": [
                {"say": "第一个看起来不错。"},
                {"call": "search_hotels", "with": {"city": "杭州", "min_rating": 4.4},
                 "as": "hotels"},
                {"choose": "hotels", "by": ["first"], "as": "best"},
                {"answer": {"hotel_id": "$best.hotel_id", "total": "$best.price_per_night"}},
                {"report": "住 {best.name} 吧。"},
            ],
        },
    },
    {
        "id": "hotel_lisbon_budget_002",
        "domain": "hotel",
        "layout": "environment",
        "language": "en",
        "question": "I stay four nights in Lisbon, alone, without breakfast. The hotel must have a "
                    "gym, lie at most 3 km from the centre and cost at most 150 EUR a night. Which "
                    "one has the best guest rating, and what is the total with tourist tax?",
        "format": '{"hotel_id": "<id>", "total": <EUR>}',
        "context": {"today": "2026-09-28", "region": "PT", "currency": "EUR", "guests": 1},
        "tools": ["search_hotels", "hotel_facilities", "quote_rooms"],
        "database": "hotels.db",
        "database_in": "environment",
        "tables": rows.hotels("lisbon", "Lisbon", LISBON, "EUR", (72, 210), (9, 18), 4,
                              ["gym", "pool", "parking", "laundry"]),
        "gold": """SELECT rating, id AS hotel_id, name, round(4 * (price + tax), 2) AS total
                   FROM hotels
                   WHERE price <= 150 AND centre_km <= 3
                         AND id IN (SELECT hotel_id FROM facilities WHERE facility = 'gym')
                   ORDER BY rating DESC""",
        "rubric": [choice("hotel_id", 0.45, second=0.4), figure("total", 0.2),
                   mentions(0.15, "name", "total", "rating"), language("en", 0.05),
                   tools(0.15, "search_hotels", "hotel_facilities", "quote_rooms")],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "Filter by price, then gym and distance; the best rating wins."},
                {"call": "search_hotels", "with": {"city": "Lisbon", "max_price": 150},
                 "as": "hotels"},
                {"call": "hotel_facilities", "with": {"hotel_ids": "$hotels.*.hotel_id"},
                 "as": "details"},
                {"keep": "details", "as": "fit",
                 "where": [["facilities", "has", "gym"], ["centre_km", "<=", 3]]},
                {"choose": "fit", "by": ["max", "rating"], "as": "best"},
                {"call": "quote_rooms", "as": "quotes",
                 "with": {"hotel_ids": ["$best.hotel_id"], "nights": 4}},
                {"choose": "quotes", "by": ["first"], "as": "quote"},
                {"answer": {"hotel_id": "$best.hotel_id", "total": "$quote.total"}},
                {"report": "# Four nights in Lisbon\n\nStay at **{best.name}**, which has a gym. "
                           "Four nights with tourist tax cost {quote.total} EUR."},
            ],
            "hasty": [
                {"say": "Best rating, that is easy."},
                {"call": "search_hotels", "with": {"city": "Lisbon", "max_price": 150},
                 "as": "hotels"},
                {"choose": "hotels", "by": ["max", "rating"], "as": "best"},
                {"call": "quote_rooms", "as": "quotes",
                 "with": {"hotel_ids": ["$best.hotel_id"], "nights": 4}},
                {"choose": "quotes", "by": ["first"], "as": "quote"},
                {"answer": {"hotel_id": "$best.hotel_id", "total": "$quote.total"}},
            ],
        },
    },
]

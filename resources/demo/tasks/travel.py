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
        "tables": rows.hotels("hangzhou-2", "杭州", HANGZHOU, "CNY", (280, 760, 10), (20, 60, 2), 4,
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
                {"report": "Take {best.name}, guests love it."},
            ],
        },
    },
    {
        "id": "transport_shanghai_beijing_003",
        "domain": "transport",
        "layout": "environment",
        "language": "zh",
        "question": "10月1日我们两人坐高铁从上海到北京，要在14:00前到达，而且必须有两个座位。"
                    "哪一趟车的总价（含手续费）最低？",
        "format": '{"number": "<车次>", "total": <两人总价，元>}',
        "context": {"today": "2026-09-28", "region": "CN", "currency": "CNY", "passengers": 2},
        "tools": ["search_trains", "check_seats"],
        "database": "transport.db",
        "database_in": "environment",
        "tables": rows.trips("beijing", "上海", "北京", "2026-10-01", "CNY",
                             {"prefix": "G", "count": 16, "minutes": (258, 390),
                              "prices": (498, 668, 5), "fees": (0, 30, 5), "airport": 0},
                             {"prefix": "MU5", "count": 6, "minutes": (130, 150),
                              "prices": (430, 900, 10), "fees": (50, 110, 10), "airport": 150}),
        "gold": """SELECT round(2 * (price + fee), 2) AS total, number, departs, arrives
                   FROM trips WHERE mode = 'train' AND arrives <= '14:00' AND seats_left >= 2
                   ORDER BY total""",
        "forbidden": "SELECT number FROM trips WHERE seats_left < 2 OR mode = 'flight'",
        "rubric": [choice("number", 0.45, second=0.4), figure("total", 0.2),
                   mentions(0.2, "number", "total"), language("zh", 0.05),
                   tools(0.1, "search_trains", "check_seats"),
                   penalty("number", 0.1, "no two seats left, or no train")],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "先查14:00前到达的高铁，再查余座和手续费。"},
                {"call": "search_trains", "as": "trains",
                 "with": {"origin": "上海", "destination": "北京", "date": "2026-10-01",
                          "arrive_before": "14:00"}},
                {"call": "check_seats", "as": "seats",
                 "with": {"numbers": "$trains.*.number", "passengers": 2}},
                {"keep": "seats", "where": [["seats_left", ">=", 2]], "as": "free"},
                {"choose": "free", "by": ["min", "total"], "as": "best"},
                {"answer": {"number": "$best.number", "total": "$best.total"}},
                {"report": "# 上海到北京\n\n建议乘坐 **{best.number}** 次高铁，{best.departs} 出发，"
                           "{best.arrives} 到达，还有座位。两人总价 {best.total} 元（含手续费）。"},
            ],
            "hasty": [
                {"say": "票价最低的就行。"},
                {"call": "search_trains", "as": "trains",
                 "with": {"origin": "上海", "destination": "北京", "date": "2026-10-01",
                          "arrive_before": "14:00"}},
                {"choose": "trains", "by": ["min", "price"], "as": "best"},
                {"call": "check_seats", "as": "seats",
                 "with": {"numbers": ["$best.number"], "passengers": 2}},
                {"choose": "seats", "by": ["first"], "as": "seat"},
                {"answer": {"number": "$best.number", "total": "$seat.total"}},
                {"report": "坐 {best.number} 次列车，{best.departs} 出发。"},
            ],
        },
    },
    {
        "id": "transport_london_edinburgh_004",
        "domain": "transport",
        "layout": "app",
        "language": "en",
        "question": "Two of us go from London to Edinburgh on 14 October, by train or by air. With "
                    "the time at the airports counted and at most 260 GBP for both including fees, "
                    "which one gets us there in the least time and still has two seats?",
        "format": '{"number": "<number>", "total": <GBP for both>, "minutes": <door to door>}',
        "context": {"today": "2026-09-28", "region": "GB", "currency": "GBP", "passengers": 2},
        "tools": ["search_trains", "search_flights", "check_seats"],
        "database": "transport.db",
        "database_in": "tools",
        "tables": rows.trips("edinburgh", "London", "Edinburgh", "2026-10-14", "GBP",
                             {"prefix": "LN", "count": 12, "minutes": (255, 330),
                              "prices": (62, 148, 3), "fees": (0, 4, 2), "airport": 0},
                             {"prefix": "BA1", "count": 9, "minutes": (78, 96),
                              "prices": (55, 150, 4), "fees": (18, 42, 3), "airport": 165}),
        "gold": """SELECT minutes + airport_minutes AS minutes, number, mode,
                          round(2 * (price + fee), 2) AS total
                   FROM trips WHERE 2 * (price + fee) <= 260 AND seats_left >= 2
                   ORDER BY 1""",
        "forbidden": "SELECT number FROM trips WHERE seats_left < 2 OR 2 * (price + fee) > 260",
        "rubric": [choice("number", 0.4, second=0.5), figure("total", 0.15),
                   figure("minutes", 0.1), mentions(0.15, "number", "total"), language("en", 0.05),
                   tools(0.15, "search_trains", "search_flights", "check_seats"),
                   penalty("number", 0.1, "sold out or too expensive")],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "With the time at airports a train must be faster; seats and fees next."},
                {"call": "search_trains", "as": "trains",
                 "with": {"origin": "London", "destination": "Edinburgh", "date": "2026-10-14"}},
                {"call": "check_seats", "as": "seats",
                 "with": {"numbers": "$trains.*.number", "passengers": 2}},
                {"keep": "seats", "where": [["total", "<=", 260], ["seats_left", ">=", 2]],
                 "as": "fit"},
                {"choose": "fit", "by": ["min", "door_to_door_minutes"], "as": "best"},
                {"answer": {"number": "$best.number", "total": "$best.total",
                            "minutes": "$best.door_to_door_minutes"}},
                {"report": "# London to Edinburgh\n\nTake the {best.mode} **{best.number}** at "
                           "{best.departs}: {best.door_to_door_minutes} minutes door to door, "
                           "{best.total} GBP for two with fees."},
            ],
            "hasty": [
                {"say": "Flying is always faster."},
                {"call": "search_flights", "as": "flights",
                 "with": {"origin": "London", "destination": "Edinburgh", "date": "2026-10-14"}},
                {"choose": "flights", "by": ["min", "minutes"], "as": "best"},
                {"answer": {"number": "$best.number", "total": "$best.price",
                            "minutes": "$best.minutes"}},
                {"report": "Fly with {best.number}, it leaves at {best.departs}."},
            ],
        },
    },
    {
        "id": "attraction_xian_monday_005",
        "domain": "attraction",
        "layout": "app",
        "language": "zh",
        "question": "下周一我们两个大人带一个孩子在西安参观一家博物馆。要求周一开放，三人门票总价不超过240元，"
                    "评分最高。是哪一家？门票一共多少钱？",
        "format": '{"attraction_id": "<编号>", "total": <三人总价，元>}',
        "context": {"today": "2026-09-28", "region": "CN", "currency": "CNY",
                    "adults": 2, "children": 1},
        "tools": ["search_attractions", "opening_hours", "quote_tickets"],
        "database": "attractions.db",
        "database_in": "tools",
        "tables": rows.attractions("xian", "西安", "CNY", XIAN, (30, 160, 10)),
        "gold": """SELECT rating, id AS attraction_id, name,
                          round(2 * ticket + child_ticket, 2) AS total, opens
                   FROM attractions JOIN hours ON attraction_id = id AND weekday = 'monday'
                   WHERE category = '博物馆' AND 2 * ticket + child_ticket <= 240
                   ORDER BY rating DESC""",
        "forbidden": """SELECT id FROM attractions WHERE id NOT IN
                        (SELECT attraction_id FROM hours WHERE weekday = 'monday')""",
        "rubric": [choice("attraction_id", 0.4, second=0.4), figure("total", 0.2),
                   mentions(0.2, "name", "total"), language("zh", 0.1),
                   tools(0.1, "search_attractions", "opening_hours"),
                   penalty("attraction_id", 0.1, "closed on Monday")],
        "reward": "logs",
        "plans": {
            "careful": [
                {"say": "Museums first, then Monday's opening hours, then the price for three."},
                {"call": "search_attractions", "with": {"city": "西安", "category": "博物馆"},
                 "as": "museums"},
                {"call": "opening_hours", "as": "open",
                 "with": {"attraction_ids": "$museums.*.attraction_id", "weekday": "monday"}},
                {"call": "quote_tickets", "as": "quotes",
                 "with": {"attraction_ids": "$open.*.attraction_id", "adults": 2, "children": 1}},
                {"keep": "quotes", "where": [["total", "<=", 240]], "as": "fit"},
                {"choose": "fit", "by": ["max", "rating"], "as": "best"},
                {"answer": {"attraction_id": "$best.attraction_id", "total": "$best.total"}},
                {"report": "# Monday in Xi'an\n\nVisit {best.name}: open on Monday, rated "
                           "{best.rating}, and {best.total} CNY for two adults and a child."},
            ],
            "hasty": [
                {"say": "选评分最高的博物馆。"},
                {"call": "search_attractions", "with": {"city": "西安", "category": "博物馆"},
                 "as": "museums"},
                {"choose": "museums", "by": ["max", "rating"], "as": "best"},
                {"call": "quote_tickets", "as": "quotes",
                 "with": {"attraction_ids": ["$best.attraction_id"], "adults": 2, "children": 1}},
                {"choose": "quotes", "by": ["first"], "as": "quote"},
                {"answer": {"attraction_id": "$best.attraction_id", "total": "$quote.total"}},
                {"report": "去{best.name}，评分 {best.rating}，大家都说好。"},
            ],
        },
    },
    {
        "id": "attraction_auckland_rain_006",
        "domain": "attraction",
        "layout": "environment",
        "language": "en",
        "question": "It will rain in Auckland on Thursday. Which indoor sight is open until 18:00 or "
                    "later and is cheapest for two adults and one child?",
        "format": '{"attraction_id": "<id>", "total": <NZD for all>}',
        "context": {"today": "2026-09-28", "region": "NZ", "currency": "NZD",
                    "adults": 2, "children": 1},
        "tools": ["search_attractions", "opening_hours", "quote_tickets"],
        "database": "attractions.db",
        "database_in": "tools",
        "tables": rows.attractions("auckland", "Auckland", "NZD", AUCKLAND, (14, 48, 2)),
        "gold": """SELECT round(2 * ticket + child_ticket, 2) AS total, id AS attraction_id, name,
                          closes
                   FROM attractions JOIN hours ON attraction_id = id AND weekday = 'thursday'
                   WHERE indoor = 1 AND closes >= '18:00' ORDER BY total""",
        "rubric": [choice("attraction_id", 0.4, second=0.4), figure("total", 0.2),
                   mentions(0.2, "name", "closes"), language("en", 0.05),
                   tools(0.15, "search_attractions", "opening_hours", "quote_tickets")],
        "reward": "app",
        "plans": {
            "careful": [
                {"say": "Indoor sights, Thursday's hours, then the price for the group."},
                {"call": "search_attractions", "with": {"city": "Auckland"}, "as": "sights"},
                {"keep": "sights", "where": [["indoor", "=", 1]], "as": "indoor"},
                {"call": "opening_hours", "as": "hours",
                 "with": {"attraction_ids": "$indoor.*.attraction_id", "weekday": "thursday"}},
                {"keep": "hours", "where": [["closes", ">=", "18:00"]], "as": "late"},
                {"call": "quote_tickets", "as": "quotes",
                 "with": {"attraction_ids": "$late.*.attraction_id", "adults": 2, "children": 1}},
                {"choose": "quotes", "by": ["min", "total"], "as": "best"},
                {"keep": "late", "where": [["attraction_id", "=", "$best.attraction_id"]],
                 "as": "chosen"},
                {"answer": {"attraction_id": "$best.attraction_id", "total": "$best.total"}},
                {"report": "# A rainy Thursday in Auckland\n\n**{best.name}** is indoors, open "
                           "until {chosen.0.closes}, and costs {best.total} NZD for the three of you."},
            ],
            "hasty": [
                {"say": "Something indoors that is cheap."},
                {"call": "search_attractions", "with": {"city": "Auckland"}, "as": "sights"},
                {"keep": "sights", "where": [["indoor", "=", 1]], "as": "indoor"},
                {"call": "quote_tickets", "as": "quotes",
                 "with": {"attraction_ids": "$indoor.*.attraction_id", "adults": 2,
                          "children": 1}},
                {"choose": "quotes", "by": ["min", "total"], "as": "best"},
                {"answer": {"attraction_id": "$best.attraction_id", "total": "$best.total"}},
                {"report": "Go to {best.name}, it is cheap."},
            ],
        },
    },
]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the rubric of a task; the kinds are explained in verifier/rubric.py."""


def choice(field, points, second=0.0):
    return {"label": "right " + field, "kind": "choice", "field": field, "points": points,
            "second": second}


def figure(field, points):
    return {"label": "right " + field, "kind": "figure", "field": field, "points": points}


def mentions(points, *fields):
    return {"label": "report has the facts", "kind": "mentions", "fields": list(fields),
            "points": points}


def language(code, points):
    return {"label": "language of report", "kind": "language", "language": code, "points": points}


def tools(points, *names):
    return {"label": "tools really called", "kind": "tools", "names": list(names),
            "points": points}


def penalty(field, points, why):
    return {"label": "condition broken", "kind": "penalty", "field": field, "points": -points,
            "why": why}

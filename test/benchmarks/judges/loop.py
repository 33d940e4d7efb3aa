"""The loop of the judges in Python: what loop.mjs does."""
import json
import sys
import time

file, origin, rp_id = sys.argv[1:4]


def judge_lines(register, sign_in):
    groups, stored = {}, {}
    with open(file) as lines:
        for line in map(json.loads, lines):
            began, reason = time.process_time(), None
            try:
                if line["group"] == "registration":
                    stored[line["id"]] = register(line, json.loads(line["body"]))
                else:
                    sign_in(line, json.loads(line["body"]), stored[line["id"]])
            except Exception as error:
                reason = repr(error)
            seconds = time.process_time() - began
            if line["warm"]:
                continue
            group = groups.setdefault(line["group"], {"verified": 0, "refused": 0, "seconds": 0})
            group["seconds"] += seconds
            group["refused" if reason else "verified"] += 1
            if reason:
                group.setdefault("reason", reason)
    with open("/proc/self/status") as status:
        rss = next(int(row.split()[1]) * 1024 for row in status if row.startswith("VmHWM"))
    print(json.dumps({"groups": groups, "rss": rss}))

"""What the parser `junitparser` reads in a report: one line of JSON for each test."""

import json
import sys

from junitparser import JUnitXml

for suite in JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        print(json.dumps({"name": case.name, "results": [[type(one).__name__, one.message] for one in case.result]}))

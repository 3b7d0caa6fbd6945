"""template.yaml as SAM's own translator makes CloudFormation of it, held to CloudFormation's limits: as it is, and with as many
functions as the product is to have."""

import copy
import json
import logging
import re
import sys

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

# https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html; of the 60 dynamic references a template may
# have ten are ours.
LIMITS = {"dynamic references": 10, "resources": 500, "parameters": 200, "outputs": 200, "bytes": 1_000_000}
FUNCTIONS = 60


class NoManagedPolicies:
    """The functions have policies of their own; one of AWS's by its name would be looked up in an account."""

    def load(self):
        return {}


def functions(template):
    return {name: it for name, it in template["Resources"].items() if it["Type"] == "AWS::Serverless::Function"}


def with_functions(template, count):
    """The same with copies of its routes, each with its log, until there are so many functions."""
    grown = copy.deepcopy(template)
    routes = [name for name, it in functions(template).items() if "Route" in it["Properties"].get("Events", {})]
    number = 0
    while len(functions(grown)) < count:
        name, number = routes[number % len(routes)], number + 1
        text = json.dumps({"function": template["Resources"][name], "log": template["Resources"][f"{name}Log"]})
        path = template["Resources"][name]["Properties"]["Events"]["Route"]["Properties"]["Path"]
        text = text.replace(f'"{name}Log"', f'"{name}Log{number}"').replace(f'"{path}"', f'"{path}/copy{number}"')
        text = re.sub(r"(\$\{AWS::StackName\}-[a-z-]+)", rf"\1-{number}", text)
        made = json.loads(text)
        grown["Resources"][f"{name}{number}"] = made["function"]
        grown["Resources"][f"{name}Log{number}"] = made["log"]
    return grown


def counted(template):
    # SAM has the code where it was built to; for counting any place does.
    for it in functions(template).values():
        it["Properties"]["CodeUri"] = "s3://bucket/key"
    template["Globals"]["Function"].pop("CodeUri", None)
    made = transform(template, {}, NoManagedPolicies())
    text = json.dumps(made)
    return {
        "dynamic references": text.count("{{resolve:"),
        "resources": len(made["Resources"]),
        "parameters": len(made["Parameters"]),
        "outputs": len(made["Outputs"]),
        "bytes": len(text),
    }


def main(path):
    logging.disable(logging.ERROR)
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    kinds = {f"{len(functions(template))} functions": template, f"{FUNCTIONS} functions": with_functions(template, FUNCTIONS)}
    found = {kind: counted(copy.deepcopy(it)) for kind, it in kinds.items()}
    print(f"      {'':<20}" + "".join(f"{kind:>14}" for kind in found) + f"{'at most':>12}")
    for name, most in LIMITS.items():
        print(f"      {name:<20}" + "".join(f"{numbers[name]:>14}" for numbers in found.values()) + f"{most:>12}")
    broken = [f"{kind}: {numbers[name]} {name}" for kind, numbers in found.items() for name, most in LIMITS.items() if numbers[name] > most]
    if broken:
        sys.exit("past the limit: " + ", ".join(broken))


main(sys.argv[1])

"""Checks template.yaml as translated by SAM's own translator. Checks CloudFormation's limits (with the present functions and with
the planned number of functions), permissions without wildcards, and names that two stacks of one account would share."""

import copy
import json
import logging
import re
import sys

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

# https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html; a template may have 60
# dynamic references, of which ours may use ten.
LIMITS = {"dynamic references": 10, "resources": 500, "parameters": 200, "outputs": 200, "bytes": 1_000_000}
FUNCTIONS = 60

# Statements that allow or concern everything, by resource and Sid, with the reason.
STARS = {
    ("DeadLettersPolicy", "EncryptedOnTheWay"): "refuses: whatever is not encrypted on its way",
    ("FilesPolicy", "EncryptedOnTheWay"): "refuses: whatever is not encrypted on its way",
    ("SitePolicy", "EncryptedOnTheWay"): "refuses: whatever is not encrypted on its way",
}
# Property with the name of a resource in its account. Two stacks may not use the same name.
NAMES = {
    "AWS::CloudFront::CachePolicy": ["CachePolicyConfig", "Name"],
    "AWS::CloudFront::Function": ["Name"],
    "AWS::CloudFront::OriginAccessControl": ["OriginAccessControlConfig", "Name"],
    "AWS::CloudFront::OriginRequestPolicy": ["OriginRequestPolicyConfig", "Name"],
    "AWS::CloudFront::ResponseHeadersPolicy": ["ResponseHeadersPolicyConfig", "Name"],
    "AWS::Budgets::Budget": ["Budget", "BudgetName"],
    "AWS::CloudWatch::Alarm": ["AlarmName"],
    "AWS::CloudWatch::Dashboard": ["DashboardName"],
    "AWS::Cognito::UserPoolDomain": ["Domain"],
    "AWS::DynamoDB::Table": ["TableName"],
    "AWS::IAM::Role": ["RoleName"],
    "AWS::Lambda::Function": ["FunctionName"],
    "AWS::Logs::LogGroup": ["LogGroupName"],
    "AWS::S3::Bucket": ["BucketName"],
    "AWS::SES::ConfigurationSet": ["Name"],
    "AWS::SNS::Topic": ["TopicName"],
    "AWS::SQS::Queue": ["QueueName"],
}


class NoManagedPolicies:
    """No managed policies. The functions have their own policies; a managed one would have to be looked up in an account."""

    def load(self):
        return {}


def functions(template):
    return {name: it for name, it in template["Resources"].items() if it["Type"] == "AWS::Serverless::Function"}


def with_functions(template, count):
    """Returns the template with copies of its routes, with role and log, until it has `count` functions."""
    grown = copy.deepcopy(template)
    routes = [name for name, it in functions(template).items() if "Route" in it["Properties"].get("Events", {})]
    number = 0
    while len(functions(grown)) < count:
        name, number = routes[number % len(routes)], number + 1
        parts = {"function": "", "role": "Role", "log": "Log"}
        text = json.dumps({part: template["Resources"][f"{name}{ending}"] for part, ending in parts.items()})
        path = template["Resources"][name]["Properties"]["Events"]["Route"]["Properties"]["Path"]
        for ending in ["Role", "Log"]:
            text = text.replace(f'"{name}{ending}"', f'"{name}{ending}{number}"')
        text = text.replace(f'"{path}"', f'"{path}/copy{number}"')
        text = re.sub(r"(\$\{AWS::StackName\}-[a-z-]+)", rf"\1-{number}", text)
        for part, ending in parts.items():
            grown["Resources"][f"{name}{ending}{number}"] = json.loads(text)[part]
    return grown


def translated(template):
    template = copy.deepcopy(template)
    # SAM sets the code's address after a build; the translator accepts any address.
    for it in functions(template).values():
        it["Properties"]["CodeUri"] = "s3://bucket/key"
    template["Globals"]["Function"].pop("CodeUri", None)
    return transform(template, {}, NoManagedPolicies())


def counted(made):
    text = json.dumps(made)
    return {
        "dynamic references": text.count("{{resolve:"),
        "resources": len(made["Resources"]),
        "parameters": len(made["Parameters"]),
        "outputs": len(made["Outputs"]),
        "bytes": len(text),
    }


def listed(value):
    return value if isinstance(value, list) else [value]


def statements(resource):
    """Yields the policy statements anywhere in a resource."""
    if isinstance(resource, dict):
        if "Effect" in resource:
            yield resource
        for value in resource.values():
            yield from statements(value)
    elif isinstance(resource, list):
        for value in resource:
            yield from statements(value)


def is_open(where):
    text = where if isinstance(where, str) else json.dumps(where)
    return where == "*" or text.rstrip('"]} ').endswith((":*", "::*"))


def too_much(made):
    """Returns roles with AWS managed policies, and statements with wildcards that are not accepted."""
    found, unneeded = [], set(STARS)
    for name, it in made["Resources"].items():
        properties = it.get("Properties", {})
        if properties.get("ManagedPolicyArns"):
            found.append(f"{name} has policies of AWS's own: {properties['ManagedPolicyArns']}")
        for statement in statements(properties):
            stars = [action for action in listed(statement.get("Action", [])) if "*" in action]
            stars += [where for where in listed(statement.get("Resource", [])) if is_open(where)]
            if not stars:
                continue
            known = (name, statement.get("Sid"))
            unneeded.discard(known)
            if known not in STARS:
                found.append(f"{name}, {statement.get('Sid')}: {stars}")
    return found + [f"{name}, {sid} has no star: take it off the list" for name, sid in sorted(unneeded)]


def shared(made):
    """Returns names that a second stack in the account would also use."""
    found = []
    for name, it in made["Resources"].items():
        value = it.get("Properties", {}) if it["Type"] in NAMES else None
        for part in NAMES.get(it["Type"], []):
            value = value.get(part, {}) if isinstance(value, dict) else {}
        if value and "AWS::Stack" not in json.dumps(value):
            found.append(f"{name} is called {value} whatever the stack is called")
    return found


def main(path):
    logging.disable(logging.ERROR)
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    kinds = {f"{len(functions(template))} functions": template, f"{FUNCTIONS} functions": with_functions(template, FUNCTIONS)}
    made = translated(template)
    found = {kind: counted(translated(it)) for kind, it in kinds.items()}
    print(f"      {'':<20}" + "".join(f"{kind:>14}" for kind in found) + f"{'at most':>12}")
    for name, most in LIMITS.items():
        print(f"      {name:<20}" + "".join(f"{numbers[name]:>14}" for numbers in found.values()) + f"{most:>12}")
    broken = [f"{kind}: {numbers[name]} {name}" for kind, numbers in found.items() for name, most in LIMITS.items() if numbers[name] > most]
    broken = [f"past the limit: {it}" for it in broken] + too_much(made) + shared(made)
    if broken:
        sys.exit("\n".join(broken))


if __name__ == "__main__":
    main(sys.argv[1])

"""Deploys template.yaml twice to an AWS emulator under two names, like two stages in one account."""

import io
import json
import logging
import sys
import time
import zipfile

from emulated import client, without_unknown
from template import translated
from samtranslator.yaml_helper import yaml_parse

PARAMETERS = {
    "OriginSecret": "0123456789abcdef0123456789abcdef",
    "MailDomain": "example.org",
    "SupportEmail": "help@example.org",
    "OperatorName": "A company",
    "OperatorSeat": "A street 1, A town",
    "OperatorContact": "https://example.org",
    "AlarmEmail": "alarms@example.org",
}
# One name has a capital letter, to test names that may not contain one. The second stage has no mail identity of its
# own.
STAGES = {"waraq-one": {}, "Waraq-Two": {"OwnsMailIdentity": "false"}}
# The stage of an API, whose name is unique only within its API.
STAGE_OF_THE_API = "$default"
PATIENCE_SECONDS = 300


def program():
    """Returns a program for all functions. Nothing calls it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        entry = zipfile.ZipInfo("bootstrap")
        entry.external_attr = 0o755 << 16
        archive.writestr(entry, "#!/bin/sh\nexec sleep 1\n")
    return packed.getvalue()


def up(cloudformation, name, url, parameters):
    given = [{"ParameterKey": key, "ParameterValue": value} for key, value in {**PARAMETERS, **parameters}.items()]
    cloudformation.create_stack(StackName=name, TemplateURL=url, Parameters=given, Capabilities=["CAPABILITY_IAM"])
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        status = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
        if status == "CREATE_COMPLETE":
            return
        if "IN_PROGRESS" not in status:
            break
        time.sleep(0.5)
    events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
    failed = [f"{it['LogicalResourceId']}: {it.get('ResourceStatusReason')}" for it in events if "FAILED" in it["ResourceStatus"]]
    sys.exit(f"{name} does not come up: {failed or events[0]}")


def main(path, endpoint):
    logging.disable(logging.ERROR)
    with open(path, encoding="utf-8") as file:
        made = without_unknown(translated(yaml_parse(file.read())))
    s3, cloudformation = client("s3", endpoint), client("cloudformation", endpoint)
    s3.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    s3.put_object(Bucket="bucket", Key="key", Body=program())
    # CloudFormation accepts templates over 51,200 bytes only by address.
    s3.put_object(Bucket="bucket", Key="template.json", Body=json.dumps(made).encode())
    ids = {}
    for name, parameters in STAGES.items():
        up(cloudformation, name, f"{endpoint}/bucket/template.json", parameters)
        pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
        for it in (it for page in pages for it in page["StackResourceSummaries"]):
            if it["PhysicalResourceId"] != STAGE_OF_THE_API:
                ids.setdefault((it["ResourceType"], it["PhysicalResourceId"]), set()).add(name)
        print(f"      {name}: {sum(name in stacks for stacks in ids.values())} resources")
    both = sorted(" ".join(it) for it, stacks in ids.items() if len(stacks) > 1)
    if both:
        sys.exit("both stages have: " + ", ".join(both))


main(*sys.argv[1:])

"""Adapts templates and stacks to the limits of an AWS emulator: removes what the emulator does not know from a template, creates
the routes of an API (the emulator does not read them from its description), and returns the state of a stack for comparison."""

import hashlib
import json
import re
import sys

import boto3
from samtranslator.yaml_helper import yaml_parse

# Features that the emulator lacks. CloudFormation supports them (cfn-lint checks both).
UNKNOWN_RESOURCES = {
    "FunctionsThrottled": "metric math",
    "TableThrottled": "metric math",
}
UNKNOWN_OUTPUTS = {"MailRecords": "the DKIM tokens of an identity"}


def without_unknown(template):
    for name in UNKNOWN_RESOURCES:
        del template["Resources"][name]
    for name in UNKNOWN_OUTPUTS:
        del template["Outputs"][name]
    return template


def client(service, endpoint):
    return boto3.client(service, region_name="eu-west-1", aws_access_key_id="test", aws_secret_access_key="test", endpoint_url=endpoint)


def resources(cloudformation, stack):
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack)
    return {it["LogicalResourceId"]: it["PhysicalResourceId"] for page in pages for it in page["StackResourceSummaries"]}


def built(path):
    """Removes what the emulator does not know from the template that `sam build` has written."""
    with open(path, encoding="utf-8") as file:
        template = without_unknown(yaml_parse(file.read()))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(template, file)


def routes(endpoint, stack):
    """Creates the routes of the API one by one. API Gateway reads them from the API's Body, but the emulator does not."""
    cloudformation, gateway = client("cloudformation", endpoint), client("apigatewayv2", endpoint)
    made = cloudformation.get_template(StackName=stack, TemplateStage="Processed")["TemplateBody"]
    made = json.loads(made) if isinstance(made, str) else made
    ids = resources(cloudformation, stack)
    api = ids["Api"]
    known = {it["RouteKey"] for it in gateway.get_routes(ApiId=api)["Items"]}
    for path, methods in made["Resources"]["Api"]["Properties"]["Body"]["paths"].items():
        for method, it in methods.items():
            key = f"{method.upper()} {path}"
            uri = it["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"]
            function = ids[re.search(r"\$\{(\w+)\.Arn\}", uri).group(1)]
            if key not in known:
                arn = f"arn:aws:lambda:eu-west-1:000000000000:function:{function}"
                integration = gateway.create_integration(
                    ApiId=api, IntegrationType="AWS_PROXY", IntegrationMethod="POST", IntegrationUri=arn, PayloadFormatVersion="2.0"
                )
                gateway.create_route(ApiId=api, RouteKey=key, Target=f"integrations/{integration['IntegrationId']}")


def state(endpoint, stack):
    """Returns everything a deployment can create for a stack: resources, secrets (as hashes), files, templates, users."""
    ids = resources(client("cloudformation", endpoint), stack)
    s3, ssm = client("s3", endpoint), client("ssm", endpoint)
    pages = ssm.get_paginator("get_parameters_by_path").paginate(Path=f"/{stack}", Recursive=True, WithDecryption=True)
    parameters = [it for page in pages for it in page["Parameters"]]
    files = {}
    for bucket in (ids[name] for name in ("Site", "Files", "DeadLetters")):
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
            files.update({f"{bucket}/{it['Key']}": it["ETag"] for it in page.get("Contents", [])})
    rows = client("dynamodb", endpoint).get_paginator("scan").paginate(TableName=ids["Table"])
    keys = sorted(f"{it['pk']['S']} {it['sk']['S']}" for page in rows for it in page["Items"])
    users = client("cognito-idp", endpoint).list_users(UserPoolId=ids["UserPool"])["Users"]
    routes_of_api = client("apigatewayv2", endpoint).get_routes(ApiId=ids["Api"])["Items"]
    return {
        "resources": ids,
        "parameters": {it["Name"]: [it["Type"], it["Version"], hashlib.sha256(it["Value"].encode()).hexdigest()] for it in parameters},
        "files": files,
        "kept rows": [key for key in keys if key.startswith(("TPL#", "USER#", "EMAIL#")) and "/USE" not in key and " USE" not in key],
        "users": sorted(it["Username"] for it in users),
        "routes": sorted(it["RouteKey"] for it in routes_of_api),
    }


def restart(endpoint, stack):
    """Restarts the functions, as would happen within an hour."""
    functions = client("lambda", endpoint)
    pages = functions.get_paginator("list_functions").paginate()
    for it in [it for page in pages for it in page["Functions"] if it["FunctionName"].startswith(f"{stack}-")]:
        # The emulator restarts a function if a setting was changed that a running function cannot take over.
        functions.update_function_configuration(FunctionName=it["FunctionName"], Timeout=it["Timeout"])


def left(endpoint, stack):
    """Returns what remains of a deleted stack."""
    prefix = stack.lower()
    found = [f"table {it}" for it in client("dynamodb", endpoint).list_tables()["TableNames"] if it.startswith(f"{stack}-")]
    found += [f"bucket {it['Name']}" for it in client("s3", endpoint).list_buckets()["Buckets"] if it["Name"].startswith(f"{prefix}-")]
    found += [f"pool {it['Name']}" for it in client("cognito-idp", endpoint).list_user_pools(MaxResults=60)["UserPools"] if it["Name"] == stack]
    functions = client("lambda", endpoint).get_paginator("list_functions").paginate()
    found += [f"function {it['FunctionName']}" for page in functions for it in page["Functions"] if it["FunctionName"].startswith(f"{stack}-")]
    pages = client("ssm", endpoint).get_paginator("get_parameters_by_path").paginate(Path=f"/{stack}", Recursive=True)
    found += [f"parameter {it['Name']}" for page in pages for it in page["Parameters"]]
    return found


if __name__ == "__main__":
    done = {"built": built, "routes": routes, "state": state, "restart": restart, "left": left}[sys.argv[1]](*sys.argv[2:])
    if done is not None:
        print(json.dumps(done))

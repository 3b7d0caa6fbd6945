"""Runs checkov on the templates and compares its findings with the accepted ones. Every finding must have a reason here, and
every reason must belong to a finding."""

import json
import subprocess
import sys

# Reasons by check; a reason that applies to some resources only names them.
REASONS = {
    "CKV_AWS_18": "Logs of each request to a bucket cost more than the bucket: the functions log what they are asked, and only they and the CDN reach it.",
    "CKV_AWS_26": "CloudWatch and SES cannot publish to a topic under AWS's own key, and a key of ours would cost a dollar a month to hide alarms.",
    "CKV_AWS_86": "The API has its access log, and the site's files are the same for everybody: a log of who reads them is kept by nobody's need.",
    "CKV_AWS_115": "Whoever sets documents has DocumentConcurrency; reserving for the others would take it from all, and the API is throttled by route.",
    "CKV_AWS_116": "Every function of a route answers its caller; of the two behind the stream one has its letters put aside by the event source, the other's mails stay in the table; what the clock alone wakes it wakes again.",
    "CKV_AWS_117": "There is nothing in a VPC to reach, and one would cost a NAT gateway and the cold start.",
    "CKV_AWS_119": "AWS's own key encrypts the table; a key of yours in KMS is your house's rule to make, and costs each call.",
    "CKV_AWS_158": "CloudWatch encrypts logs; no log has a secret or an address in it (tests/api/logs.rs).",
    "CKV_AWS_173": "No secret is in an environment: functions read theirs from Systems Manager (functions/tests).",
    "CKV_AWS_174": "With a domain it is TLSv1.2_2021; without one the certificate is CloudFront's, for which nothing can be set. checkov does not look into conditions.",
}


def findings(checkov, template):
    command = [checkov, "--skip-download", "--compact", "--quiet", "--file", template, "--output", "json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not run.stdout.strip():
        sys.exit(f"checkov said nothing of {template}: {run.stderr}")
    reports = json.loads(run.stdout)
    for report in reports if isinstance(reports, list) else [reports]:
        if report.get("results", {}).get("parsing_errors"):
            sys.exit(f"checkov cannot read {template}: {report['results']['parsing_errors']}")
        for found in report.get("results", {}).get("failed_checks", []):
            yield found["check_id"], f"{found['resource']}: {found['check_name']}"


def main(checkov, *templates):
    found = {}
    for template in templates:
        for check, what in findings(checkov, template):
            found.setdefault(check, []).append(what)
    for check in sorted(found):
        print(f"      {check:<12} {len(found[check]):>3}  {REASONS.get(check, 'NO REASON: ' + '; '.join(found[check]))}")
    broken = [f"{check} has no reason: {'; '.join(found[check])}" for check in sorted(set(found) - set(REASONS))]
    broken += [f"{check} is found no more: take its reason away" for check in sorted(set(REASONS) - set(found))]
    if broken:
        sys.exit("\n".join(broken))


main(*sys.argv[1:])

"""Computes the environment that `sam local` would give each function of template.yaml, with SAM's own code, because sam local
itself needs containers. Checks that every value comes from events/env.json, and writes the environments to files for
programs that run without containers."""

import json
import os
import shlex
import sys

from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider


def main(template, written, folder, emulator):
    with open(written, encoding="utf-8") as file:
        shipped = json.load(file)
    given = shipped["Parameters"]
    if list(shipped) != ["Parameters"]:
        sys.exit(f"{written} has more than Parameters, which are every function's")
    # A variable of this shell would override the template's value.
    for name in given:
        os.environ.pop(name, None)
    stacks, _ = SamLocalStackProvider.get_stacks(template)
    runner = LocalLambdaRunner(None, SamFunctionProvider(stacks), ".", ".", env_vars_values=shipped)
    wrong, known = [], set()
    os.makedirs(folder, exist_ok=True)
    functions = list(SamFunctionProvider(stacks).get_all())
    for function in functions:
        named = set(function.environment["Variables"])
        known |= named
        resolved = runner._make_env_vars(function).resolve()
        for name in sorted(named):
            if name not in given:
                wrong.append(f"{function.name}: {name} is not in {written}")
            elif resolved[name] != given[name]:
                wrong.append(f"{function.name}: {name} is {resolved[name]!r}")
        # Variables of the Lambda platform are set by the program that starts the function.
        told = {name: value for name, value in resolved.items() if not name.startswith("AWS_LAMBDA_")}
        told["AWS_ENDPOINT_URL"] = emulator
        program = function.metadata["BuildProperties"]["Binary"]
        with open(os.path.join(folder, program), "w", encoding="utf-8") as file:
            file.writelines(f"export {name}={shlex.quote(value)}\n" for name, value in sorted(told.items()))
    wrong += [f"no function has a variable {name}: take it out of {written}" for name in sorted(set(given) - known)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"      {len(functions)} functions, {len(known)} variables")


main(*sys.argv[1:])

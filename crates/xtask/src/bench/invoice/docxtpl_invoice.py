"""Writes the same invoice as a template of three programs, and fills it with docxtpl.

docxtpl_invoice.py write FOLDER ROWS    writes waraq.docx, docxtpl.docx, docx-templates.docx and values.json
docxtpl_invoice.py fill TEMPLATE VALUES OUTPUT
"""

import json
import sys
from pathlib import Path

import docx
from docxtpl import DocxTemplate

COLUMNS = ["description", "quantity", "price", "total"]

# For each program: a field, the rows before the repeated row, the repeated row, and the rows after it.
DIALECTS = {
    "waraq": (
        "{{%s}}",
        [],
        ["{{#items}}{{description}}", "{{quantity}}", "{{price}}", "{{total}}{{/items}}"],
        [],
    ),
    "docxtpl": (
        "{{ %s }}",
        ["{%tr for item in items %}"],
        ["{{ item.%s }}" % column for column in COLUMNS],
        ["{%tr endfor %}"],
    ),
    "docx-templates": (
        "+++INS %s+++",
        ["+++FOR item IN items+++"],
        ["+++INS $item.%s+++" % column for column in COLUMNS],
        ["+++END-FOR item+++"],
    ),
}


def write(folder, rows):
    for name, (field, before, repeated, after) in DIALECTS.items():
        document = docx.Document()
        document.add_heading("Invoice " + field % "number", 1)
        document.add_paragraph("To: " + field % "client")
        table = document.add_table(rows=1, cols=len(COLUMNS), style="Table Grid")
        for cell, column in zip(table.rows[0].cells, COLUMNS):
            cell.text = column.capitalize()
        for mark in before:
            table.add_row().cells[0].text = mark
        for cell, mark in zip(table.add_row().cells, repeated):
            cell.text = mark
        for mark in after:
            table.add_row().cells[0].text = mark
        document.add_paragraph("Amount due: " + field % "due")
        document.save(folder / f"{name}.docx")
    items = [
        {
            "description": f"Consulting, part {number} of the work agreed",
            "quantity": f"{number % 7 + 1}",
            "price": f"{number % 90 + 10}.50",
            "total": f"{(number % 7 + 1) * (number % 90 + 10.5):.2f}",
        }
        for number in range(1, rows + 1)
    ]
    values = {"number": "2026-117", "client": "Northwind Books", "due": "41,250.00", "items": items}
    (folder / "values.json").write_text(json.dumps(values))


def fill(template, values, output):
    document = DocxTemplate(template)
    document.render(json.loads(Path(values).read_text()))
    document.save(output)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        fill(*sys.argv[2:])

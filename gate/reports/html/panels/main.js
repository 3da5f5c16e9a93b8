// Where the page's script starts: each panel in its place.

import { mount as mountDownload } from "./download.js";
import { mount as mountPrinting } from "./printing.js";
import { parseReport } from "./report_data.js";
import { mount as mountTable } from "./table.js";
import { mount as mountTheme } from "./theme.js";
import { mount as mountWhatIf } from "./what_if.js";

const place = (id) => document.getElementById(id);

const embedded = place("report").textContent;
const data = parseReport(embedded);

mountTheme(place("theme"));
mountDownload(place("download"), embedded);
mountPrinting();
if (place("items-table")) mountTable(place("items-table"), data);
if (place("what-if")) {
  mountWhatIf(place("what-if"), data);
  place("to-what-if").hidden = false;
}

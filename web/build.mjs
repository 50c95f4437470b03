// Makes one page of src/, and the C++ source by which the program carries it:
//   node build.mjs FOLDER    writes FOLDER/page.html and FOLDER/page_template.cpp
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const folder = process.argv[2];
if (!folder) throw new Error("build.mjs: found no folder, expected one to write to");

const options = { bundle: true, minify: true, write: false, charset: "ascii", legalComments: "none" };
const target = ["es2021", "chrome100", "firefox100", "safari15.4"];
const script = await build({ ...options, target, entryPoints: [new URL("src/main.ts", here).pathname], format: "iife" });
const style = await build({ ...options, target, entryPoints: [new URL("src/style.css", here).pathname] });

// Neither may end its element.
const code = script.outputFiles[0].text
  .trim()
  .replaceAll("</script", "<\\/script")
  .replaceAll("<!--", "<\\!--")
  // Regular expressions keep theirs; in them, too, an escape means the same.
  .replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const css = style.outputFiles[0].text.trim();
const hash = createHash("sha256").update(code).digest("base64");
const page = readFileSync(new URL("src/page.html", here), "utf8")
  .replace("@SCRIPT_HASH@", () => `'sha256-${hash}'`)
  .replace("@STYLE@", () => css)
  .replace("@SCRIPT@", () => code);
if (page.split("@QUANTIPLAN_DATA@").length !== 2) throw new Error("build.mjs: the mark of the data must stand in the page once");
const odd = /.{0,30}[^\x00-\x7f].{0,30}/.exec(page);
if (odd) throw new Error(`build.mjs: found a character beyond ASCII in the page: ${odd[0]}`);

// Parts that every compiler takes as a literal.
const part = 12_000;
const literals = [];
for (let at = 0; at < page.length; at += part) literals.push(`    R"~page~(${page.slice(at, at + part)})~page~"sv,`);
const source = `// Made by web/build.mjs.
#include "page/page_template.hpp"
namespace quantiplan {
using namespace std::string_view_literals;
namespace {
constexpr std::string_view kParts[] = {
${literals.join("\n")}
};
}
std::span<const std::string_view> page_template() noexcept { return kParts; }
}
`;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/page.html`, page);
writeFileSync(`${folder}/page_template.cpp`, source);
console.log(`${folder}/page.html: ${Math.round(page.length / 1024)} KiB`);

#include "help/completions.hpp"

#include <fmt/format.h>

#include <functional>

#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The commands below it, or the words that its argument may be.
std::string first_words(const CommandRow& command) {
  std::vector<std::string> words;
  for (const CommandRow& below : command.below) words.push_back(below.name);
  for (const OptionRow& argument : command.arguments)
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  return joined(words);
}

std::string option_names(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names);
}

// Each command with its path: "", "solve", "generate/garnet".
using OnCommand = std::function<void(const std::string& path, const CommandRow& command)>;
void for_each_command(const CommandRow& command, const std::string& path, const OnCommand& act) {
  act(path, command);
  for (const CommandRow& below : command.below)
    for_each_command(below, path.empty() ? below.name : path + "/" + below.name, act);
}

// In single quotes, for any of the three.
std::string quoted_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return "'" + out + "'";
}

// 1. the path of commands so far   2. behind an option, its words or files   3. options   4. commands
std::string for_bash(const CommandRow& program) {
  std::string steps;
  std::string values;
  std::string words;
  for_each_command(program, "", [&](const std::string& path, const CommandRow& command) {
    for (const CommandRow& below : command.below) {
      steps += fmt::format("      '{0}:{1}') path='{2}' ;;\n",
                           path,
                           below.name,
                           path.empty() ? below.name : path + "/" + below.name);
    }
    for (const OptionRow& option : command.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        const std::string does =
            !option.choices.empty() ? fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))",
                                                  joined(option.choices))
            : option.is_file        ? std::string("COMPREPLY=($(compgen -f -- \"$current\"))")
                                    : std::string("compopt +o default 2>/dev/null");
        values += fmt::format("    '{}:{}') {}; return ;;\n", path, name, does);
      }
    }
    words += fmt::format("    '{}') options='{}' commands='{}' ;;\n",
                         path,
                         option_names(command),
                         first_words(command));
  });
  return fmt::format(R"(# bash completion of quantiplan; made by `quantiplan completion bash`
_quantiplan() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local path='' word options='' commands=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path:$word" in
{})"
                     R"(    esac
  done
  case "$path:$previous" in
{})"
                     R"(  esac
  case "$path" in
{})"
                     R"(  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}}
complete -o default -F _quantiplan quantiplan
)",
                     steps,
                     values,
                     words);
}

// What _arguments takes: brackets around the help, a colon before what is completed.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : in_brief(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_arguments(const CommandRow& command) {
  std::string text = "_arguments -s";
  for (const OptionRow& option : command.options) {
    for (const std::string& name : option.names) {
      std::string spec = fmt::format("*{}[{}]", name, zsh_text(option.help));
      if (!option.value.empty()) {
        spec += ":" + zsh_text(option.value) + ":";
        spec += !option.choices.empty() ? "(" + joined(option.choices) + ")"
                : option.is_file        ? std::string("_files")
                                        : std::string(" ");
      }
      text += " \\\n    " + quoted_word(spec);
    }
  }
  const std::string words = command.below.empty() ? first_words(command) : std::string();
  if (words.empty()) return text + " \\\n    '*:file:_files'\n";
  return text + " \\\n    " + quoted_word("*:word:(" + words + ")") + "\n";
}

void append_zsh(std::string& text, const std::string& name, const CommandRow& command) {
  text += fmt::format("{}() {{\n", name);
  if (command.below.empty()) {
    text += "  " + zsh_arguments(command) + "}\n";
    return;
  }
  text += "  local -a commands=(\n";
  for (const CommandRow& below : command.below)
    text += "    " + quoted_word(below.name + ":" + zsh_text(below.help)) + "\n";
  text += "  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n";
  text += "    _describe command commands\n    return\n  fi\n  case $words[2] in\n";
  for (const CommandRow& below : command.below) {
    text += fmt::format("    {0}) shift words; (( CURRENT-- )); {1}_{0} ;;\n", below.name, name);
  }
  text += "    *) " + zsh_arguments(command) + "    ;;\n  esac\n}\n";
  for (const CommandRow& below : command.below) append_zsh(text, name + "_" + below.name, below);
}

std::string for_zsh(const CommandRow& program) {
  std::string text = "#compdef quantiplan\n# made by `quantiplan completion zsh`\n";
  append_zsh(text, "_quantiplan", program);
  return text + "_quantiplan \"$@\"\n";
}

std::string for_fish(const CommandRow& program) {
  std::string text = "# fish completion of quantiplan; made by `quantiplan completion fish`\n";
  for_each_command(program, "", [&](const std::string& path, const CommandRow& command) {
    const std::string own = path.empty()
                                ? "not __fish_seen_subcommand_from " + first_words(program)
                                : "__fish_seen_subcommand_from " + path.substr(path.rfind('/') + 1);
    for (const CommandRow& below : command.below) {
      const std::string when =
          path.empty() ? own
                       : own + "; and not __fish_seen_subcommand_from " + first_words(command);
      text += fmt::format("complete -c quantiplan -n {} -f -a {} -d {}\n",
                          quoted_word(when),
                          below.name,
                          quoted_word(in_brief(below.help)));
    }
    if (command.below.empty() && !first_words(command).empty())
      text += fmt::format("complete -c quantiplan -n {} -f -a {}\n",
                          quoted_word(own),
                          quoted_word(first_words(command)));
    for (const OptionRow& option : command.options) {
      text += fmt::format("complete -c quantiplan -n {}", quoted_word(own));
      for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        text += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.choices.empty())
        text += " -x -a " + quoted_word(joined(option.choices));
      else if (!option.value.empty())
        text += option.is_file ? " -r -F" : " -x";
      text += fmt::format(" -d {}\n", quoted_word(in_brief(option.help)));
    }
  });
  return text;
}

}  // namespace

std::string completions(const CommandRow& program, const std::string& shell) {
  if (shell == "bash") return for_bash(program);
  if (shell == "zsh") return for_zsh(program);
  if (shell == "fish") return for_fish(program);
  throw Error(ErrorCode::bad_request,
              "completion",
              fmt::format("found '{}', expected bash, zsh or fish", visible(shell)));
}

}  // namespace quantiplan::cli

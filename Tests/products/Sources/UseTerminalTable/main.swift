import TerminalTable

print(DisplayText.truncate("a long line of text", to: 8))

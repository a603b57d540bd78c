import SafeText

print(ForeignText("a\u{1B}[31mb"), JSONEscape.escape(0x22))

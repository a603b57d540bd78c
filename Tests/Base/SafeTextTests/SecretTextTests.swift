import Testing

@testable import SafeText

@Suite struct SecretTextTests {
  @Test(arguments: [
    ("http://me:pass@proxy:3128", "http://me:***@proxy:3128"),
    ("postgres:postgres://u:p:w@h/db", "postgres:postgres://u:***@h/db"),
    (
      "postgres:host=h Password=x user=u password=y",
      "postgres:host=h Password=*** user=u password=***"
    ),
    ("https://luna.example:8443/a@b:c", "https://luna.example:8443/a@b:c"),
    ("postgresql://h/db?password=x&a=b", "postgresql://h/db?password=***&a=b"), ("", ""),
    ("password=", "password=***"), ("://:@", "://:***@"),
  ])
  func hidesPasswords(_ text: String, _ shown: String) {
    #expect(SecretText.hiding(text) == shown)
  }
}

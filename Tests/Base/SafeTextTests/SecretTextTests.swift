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
    ("me:p:w@proxy:3128", "me:***@proxy:3128"), (":pass@proxy", ":***@proxy"),
    ("a:secret@b/c and d:x@e", "a:***@b/c and d:***@e"),
    ("https://a:b@c,http://d:e@f/g", "https://a:***@c,http://d:***@f/g"),
    ("me@example.org", "me@example.org"), ("mailto:me@example.org", "mailto:me@example.org"),
    ("from 22:00 to me@example.org", "from 22:00 to me@example.org"),
    ("h4:/dev/ttyACM0@1000000", "h4:/dev/ttyACM0@1000000"),
  ])
  func hidesPasswords(_ text: String, _ shown: String) {
    #expect(SecretText.hiding(text) == shown)
  }
}

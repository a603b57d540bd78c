import Diagnosis
import LunaCore
import Testing

@testable import LunaClient

struct WebhookURLTests {
  @Test(arguments: [
    "http://127.0.0.1:8123/api/webhook/secret", "https://hooks.example/a?key=secret",
    "HTTP://[::1]:80", "https://10.0.0.1#secret",
  ])
  func goodOnes(text: String) throws {
    let url = try WebhookURL(text, allowsInsecure: false)
    #expect(url.text == text)
    #expect(!url.place.contains("secret"))
  }

  @Test(arguments: [
    "", "hooks.example", "ftp://hooks.example/secret", "http:///secret", "http://",
    "https://me:secret@hooks.example/", "https://hooks.example/secret path", "http:secret",
    "https://hooks.example/\u{7}secret", "file:///secret", "https://hooks.example\r\nsecret: 1",
  ])
  func badOnes(text: String) {
    let error = #expect(throws: BackendError.self) {
      try WebhookURL(text, allowsInsecure: true)
    }
    #expect(error?.kind == .address)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func whatHappensGoesToOtherMachinesByHTTPSAlone() throws {
    #expect(throws: BackendError.self) {
      try WebhookURL("http://hooks.example/", allowsInsecure: false)
    }
    _ = try WebhookURL("http://hooks.example/", allowsInsecure: true)
    _ = try WebhookURL("https://hooks.example/", allowsInsecure: false)
    _ = try WebhookURL("http://127.0.0.1:8080/", allowsInsecure: false)
  }
}

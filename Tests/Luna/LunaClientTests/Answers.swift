import LunaCore
import LunaJSON

/// Answers of a scripted server.
enum Answers {
  static func json(_ body: String, status: String = "200 OK", headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      + headers + "\r\n" + body
  }

  static func problem(
    _ status: Int, code: String = "code", headers: String = "", detail: String = "what to do"
  ) -> String {
    let body = ProblemDocument(status, code, "Title.", detail: detail).json().description
    return "HTTP/1.1 \(status) X\r\nContent-Type: application/problem+json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n" + headers + "\r\n" + body
  }
}

/// Names of requests, for those who compare an answer with the log.
enum RequestName {
  static func make() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

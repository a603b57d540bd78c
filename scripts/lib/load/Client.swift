import Glibc

/// One gateway: a connection that uploads batches.
final class Client {
  private let batch: Int
  private let socket: Int32
  private let seconds: Double
  /// The time between two batches; nil for as fast as they are answered.
  private let interval: Double?
  private let start: Double
  private var request: [UInt8]
  /// Where in the request the identifiers and locations begin that are made anew for each batch.
  private var places: [(start: Int, count: Int, alphabet: [UInt8])] = []
  private var generator = UInt64.random(in: 1 ... .max)
  /// Of each answer, s.
  private(set) var times: [Double] = []
  private(set) var accepted = 0
  private(set) var failures = 0
  private(set) var elapsed = 0.0

  init(
    port: UInt16, token: String, batch: Int, seconds: Double, interval: Double?, start: Double
  ) {
    self.batch = batch
    self.seconds = seconds
    self.interval = interval
    self.start = start
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    (request, places) = Client.template(token, batch)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      print("cannot connect to port \(port)")
      exit(1)
    }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  private static func template(
    _ token: String, _ batch: Int
  ) -> ([UInt8], [(Int, Int, [UInt8])]) {
    let day = Client.today
    var body = "["
    var marks: [(Int, Int, [UInt8])] = []
    let (hex, base64) = (Array("0123456789abcdef".utf8), Array("ABCDEFGHIJKLMNOP".utf8))
    for index in 0..<batch {
      body += index > 0 ? "," : ""
      body += "{\"protocolVersion\":1,\"heid\":\""
      marks.append((body.utf8.count, 32, hex))
      body += String(repeating: "0", count: 32) + "\",\"encodedLocation\":\"AQ"
      // The last digit stays: only four of its bits are of the 61 bytes, and the others must be 0.
      marks.append((body.utf8.count, 79, base64))
      body += String(repeating: "A", count: 80) + "==\",\"esf\":\"a77593\",\"day\":\"\(day)\"}"
    }
    body += "]"
    let head =
      "POST /trackerEvent HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return (
      Array((head + body).utf8), marks.map { ($0.0 + head.utf8.count, $0.1, $0.2) }
    )
  }

  /// As events have it.
  private static var today: String {
    var (now, parts) = (time(nil), tm())
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 16)
    strftime(&text, text.count, "%Y-%m-%d", &parts)
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  /// s.
  private static var clock: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func run() {
    let began = Client.clock
    var due = began + start
    while due < began + seconds {
      if interval != nil {
        let wait = due - Client.clock
        if wait > 0 { usleep(UInt32(wait * 1e6)) }
      } else {
        due = Client.clock
        if due >= began + seconds { break }
      }
      fill()
      guard let count = exchange() else {
        failures += 1
        break
      }
      times.append(Client.clock - due)
      accepted += count
      if count < batch { failures += 1 }
      if let interval { due += interval }
    }
    elapsed = Client.clock - began
  }

  /// xorshift64*: the events only have to be different.
  private func fill() {
    for (start, count, alphabet) in places {
      var left: UInt64 = 0
      for index in 0..<count {
        if index % 16 == 0 {
          generator ^= generator >> 12
          generator ^= generator << 25
          generator ^= generator >> 27
          left = generator &* 0x2545_F491_4F6C_DD1D
        }
        request[start + index] = alphabet[Int(left & 15)]
        left >>= 4
      }
    }
  }

  /// Sends the request; returns how many events were accepted, nil when the connection broke off.
  private func exchange() -> Int? {
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      sent += count
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      answer += buffer[..<count]
      guard let head = Client.end(of: Client.headEnd, in: answer[...]) else { continue }
      if answer.count < head + Client.length(in: answer[..<head]) { continue }
      return Client.accepted(in: answer[head...])
    }
  }

  private static let headEnd = Array("\r\n\r\n".utf8)
  private static let lengthName = Array("content-length: ".utf8)
  private static let acceptedWord = Array("\"accepted\"".utf8)

  /// Where some bytes end that are among others.
  private static func end(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while let start = bytes[index...].firstIndex(of: part[0]) {
      if bytes[start...].starts(with: part) { return start + part.count }
      index = start + 1
    }
    return nil
  }

  /// The length of the body that a head announces.
  private static func length(in head: ArraySlice<UInt8>) -> Int {
    let lower = head.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let start = end(of: lengthName, in: lower[...]) else { return 0 }
    return lower[start...].prefix { (0x30...0x39).contains($0) }
      .reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func accepted(in body: ArraySlice<UInt8>) -> Int {
    var (rest, count) = (body, 0)
    while let index = end(of: acceptedWord, in: rest) {
      rest = body[index...]
      count += 1
    }
    return count
  }
}

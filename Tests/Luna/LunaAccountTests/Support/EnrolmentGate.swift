import HTTPServer
import LunaCore
import LunaJSON
import Synchronization

/// A backend on loopback to which gateways offer themselves.
final class EnrolmentGate: Sendable {
  /// Why the offer with this number is refused; nil where it is taken.
  typealias Refusal = @Sendable (_ number: Int) -> ProblemDocument?

  private let refusal: Refusal
  private let made = Mutex<[EnrolmentOffer]>([])
  private let listener = Mutex<HTTPListener?>(nil)
  private let address = Mutex("")

  init(refusal: @escaping Refusal) throws {
    self.refusal = refusal
    let listener = HTTPListener { [weak self] request in
      self?.respond(request) ?? HTTPResponse(500, nil, [])
    }
    let place = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    address.withLock { $0 = "http://\(place)" }
    self.listener.withLock { $0 = listener }
  }

  var url: String { address.withLock { $0 } }

  /// What was offered, in order.
  var offers: [EnrolmentOffer] { made.withLock { $0 } }

  func stop() async {
    let listener = listener.withLock { $0 }
    _ = await listener?.stop(within: .seconds(5))
  }

  private func respond(_ request: HTTPRequest) -> HTTPResponse {
    guard request.head.method == "POST", String(request.head.path) == "/v1/gateways",
      let json = try? JSONReader.read(request.body), let offer = try? EnrolmentOffer(json: json)
    else { return HTTPResponse(404, nil, []) }
    let number = made.withLock { offers in
      offers.append(offer)
      return offers.count
    }
    guard let problem = refusal(number) else { return HTTPResponse(201, json: [:]) }
    return HTTPResponse(problem, request: request.id)
  }
}

import HTTPServer
import LunaBackend
import LunaUplink

extension ServerAddition {
  /// The other end of uplink checks.
  static var uplink: ServerAddition {
    let service = UplinkService()
    return ServerAddition(
      adjust: { service.adjust(&$0) },
      answer: { request, holder in await service.answer(request, caller: holder) })
  }
}

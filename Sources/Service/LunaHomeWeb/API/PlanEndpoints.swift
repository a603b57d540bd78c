import EventLoop
import HTTPServer
import LunaCrypto
import LunaHome
import LunaJSON
import WebAccess

/// `plans`: the pictures of floors that the file names, for who may know how the house looks inside.
enum PlanEndpoints {
  static let all = [
    HomeEndpoint(
      "GET", "plans/{number}", "getPlan",
      "Get the picture of a floor: the first of server.floorPlans is 0.", .role(.member), 200,
      "image/*", problems: [(404, "There is no such floor, or no picture of it.")]
    ) { api, call in
      guard let file = await api.home.file else { throw HomeAPI.unready }
      let plans = floors(of: file)
      guard let number = Int(call.parameter), plans.indices.contains(number),
        case .string(let path)? = plans[number]["file"]
      else { throw ProblemDocument.notFound("there is no such floor") }
      let asset = try await Blocking.run { () throws(CryptoError) in try picture(path) }
      guard let asset else {
        throw ProblemDocument.notFound(
          "the picture of this floor is not there, or its name has other characters than A-Za-z0-9._-"
        )
      }
      // A drawing (SVG) could hold a script.
      return asset.response(to: call.request.head, policy: .sandbox)
    }
  ]

  /// The floors of a file.
  static func floors(of file: HomeFile) -> [JSONValue] {
    guard case .array(let plans)? = file["server"]?["floorPlans"] else { return [] }
    return plans
  }

  private static func picture(_ path: String) throws(CryptoError) -> Asset? {
    guard let slash = path.lastIndex(of: "/") else {
      return try HomeWebFolder(path: ".").asset(path)
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return try HomeWebFolder(path: folder).asset(path[path.index(after: slash)...])
  }
}

import ChildProcess
import Diagnosis
import HTTPServer
import LunaJSON
import WebAccess

/// Reads the QR codes of pictures in a process of its own, which is ended where a picture takes it too long:
/// pages send what a camera sees where browsers do not read codes themselves.
enum LabelReader {
  static let mediaType = "image/x-portable-graymap"

  /// The text of the code of the picture in a request; nothing where there is none.
  static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    if let seconds = api.pictures.take(1, for: call.actor) {
      throw ProblemDocument.tooMany(seconds)
    }
    do throws(FormatError) {
      _ = try Graymap(call.request.body)
    } catch {
      throw ProblemDocument(
        422, "picture", "The picture cannot be read.", detail: error.description)
    }
    let program = api.configuration.pictureReader
    guard !program.isEmpty else { throw unable("this server has no program for it") }
    let run: ProgramRun
    do throws(ProgramRun.Failure) {
      run = try await ProgramRun.run(program, input: call.request.body)
    } catch {
      throw unable("the program for it cannot be started")
    }
    switch run.status {
    case 0:
      return HTTPResponse(200, json: ["text": .string(String(decoding: run.output, as: UTF8.self))])
    case 7: throw unable("libzbar is not installed")
    // No code, or a picture that the library could not take.
    default: return HTTPResponse(200, json: .object([:]))
    }
  }

  private static func unable(_ detail: String) -> ProblemDocument {
    ProblemDocument(501, "noPictureReader", "The server cannot read pictures.", detail: detail)
  }
}

extension APICall {
  /// Whether the body is a picture, and not JSON.
  var isPicture: Bool {
    request.head.first("content-type")?.lowercased() == LabelReader.mediaType
  }
}

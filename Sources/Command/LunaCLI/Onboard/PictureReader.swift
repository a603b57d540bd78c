import ChildProcess
import Glibc
import QRCodes

/// Reads QR codes in pictures with zbarimg, a program of the package zbar-tools.
enum PictureReader {
  /// The texts of all QR codes in a picture, a line each.
  static func texts(in path: String) async throws(CommandFailure) -> [UInt8] {
    guard access(path, R_OK) == 0 else {
      throw CommandFailure(
        ExitCode(reading: errno), "cannot read \(path): \(ErrorText.of(errno))",
        hint: "check its name and permissions")
    }
    // A name that begins with a hyphen would be an option.
    let file = path.hasPrefix("-") ? "./" + path : path
    return try await read(file, [], path)
  }

  /// The texts of all QR codes in a picture that somebody has sent, which is PNG or JPEG: no other of the
  /// many forms that the program knows is read.
  static func texts(of picture: [UInt8]) async throws(CommandFailure) -> [UInt8] {
    try await read(try form(of: picture), picture, "the picture")
  }

  /// The bytes of the QR code in such a picture, which are no text.
  static func bytes(of picture: [UInt8]) async throws(CommandFailure) -> [UInt8] {
    try await read(try form(of: picture), picture, "the picture", isText: false)
  }

  private static func form(of picture: [UInt8]) throws(CommandFailure) -> String {
    guard let form = PictureForm(picture) else {
      throw CommandFailure(.unreadableInput, "the picture is neither PNG nor JPEG")
    }
    return "\(form.rawValue):-"
  }

  private static func read(
    _ file: String, _ input: [UInt8], _ path: String, isText: Bool = true
  ) async throws(CommandFailure) -> [UInt8] {
    // Text would be put into UTF-8, and end with a line.
    let words =
      ["zbarimg", "--quiet", "--raw"] + (isText ? [] : ["--set", "binary"])
      + ["--set", "disable", "--set", "qrcode.enable", file]
    let run: ProgramRun
    do throws(ProgramRun.Failure) {
      run = try await ProgramRun.run(words, input: input, within: .seconds(30))
    } catch {
      guard error.code == ENOENT else {
        throw CommandFailure(.lost, "cannot start \(words[0]): \(ErrorText.of(error.code))")
      }
      throw notInstalled
    }
    switch run.status {
    case 0: return run.output
    // zbarimg(1): no barcode was detected in one or more of the images.
    case 4:
      throw CommandFailure(
        .unreadableInput, "there is no QR code in \(path)",
        hint: "take the picture from closer up, in better light"
          + (isText ? ", or type the code into a file for --code-file" : ", or take the file"))
    case 127: throw notInstalled
    default:
      throw CommandFailure(
        .unreadableInput, "zbarimg cannot read \(path) (it exited with \(run.status))",
        hint: "try another image format, such as PNG")
    }
  }

  private static var notInstalled: CommandFailure {
    CommandFailure(
      .usage, "zbarimg, which reads codes from pictures, is not installed",
      hint: "apt install zbar-tools, or type the code into a file for --code-file")
  }
}

import CommandSpec
import Diagnosis
import Glibc
import LunaCore
import LunaDocuments
import LunaFleet
import QRCodes

/// Labels that are printed or written into files.
enum LabelFile {
  static func group<Options: Sendable>(
    _ file: Field<Options, String?>, _ overwrites: Field<Options, Bool>
  ) -> OptionGroup<Options> {
    OptionGroup(
      "Label",
      [
        .value("output", short: "o", "FILE", "Write a picture: .svg or .png", file, .file),
        .flag("force", "Overwrite an existing file", overwrites),
      ])
  }

  static func check(_ file: String?) throws(ValueProblem) {
    guard let file, !file.hasSuffix(".svg"), !file.hasSuffix(".png") else { return }
    throw ValueProblem("--output ends neither in .svg nor in .png", remedy: "name such a file")
  }

  /// Reads the text of a label.
  static func payload(_ text: String) throws(CommandFailure) -> GatewayPayload {
    do throws(FleetError) {
      return try GatewayPayload(text: text)
    } catch {
      throw CommandFailure(
        .unreadableInput, "\(error.reason) [\(error.code.rawValue)]",
        hint: error.remedy?.description)
    }
  }

  /// Runs a command that needs no backend.
  static func run(
    _ general: GeneralOptions, _ file: String?, _ overwrites: Bool,
    _ payload: () async throws -> GatewayPayload
  ) async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      try await write(try await payload(), file, overwrites, output)
      return .done
    }
  }

  /// Prints the text, with the code on a terminal, or writes the picture.
  static func write(
    _ payload: GatewayPayload, _ file: String?, _ overwrites: Bool, _ output: OutputBuffer
  ) async throws(CommandFailure) {
    try write(
      payload.text, of: "a gateway", lines: [payload.name, payload.print.id].compactMap(\.self),
      file, overwrites, output)
  }

  /// The same for any text of a label.
  ///
  /// - Parameter isSecret: whether only the owner of the picture may read it.
  static func write(
    _ text: String, of subject: String, lines: [String], isSecret: Bool = false, _ file: String?,
    _ overwrites: Bool, _ output: OutputBuffer
  ) throws(CommandFailure) {
    guard let file else {
      if isatty(STDOUT_FILENO) == 1 {
        for line in QRText.lines(text) { output.append(line: line) }
      }
      output.append(line: text)
      return
    }
    let bytes = try CodePicture.bytes(
      of: QRCode(text, level: .medium), for: file, title: "Label of \(subject)", lines: lines)
    if isSecret {
      try OutputFile.writeSecret(bytes, to: file, replacing: overwrites)
    } else {
      try OutputFile.write(bytes, to: file, replacing: overwrites)
    }
  }
}

import Diagnosis
public import LunaJSON
public import LunaProtocol

/// Control packages as JSON (PROTOCOL.md, 12.4): an object, an array of them, or an object on each
/// line, as `luna owner packages` prints them.
public enum ControlPackageFile {
  /// The packages of a text.
  ///
  /// - Throws: ``DeviceFileError`` when it is no such file, or an entry is wrong: then it says which.
  public static func decode(_ bytes: [UInt8]) throws(DeviceFileError) -> [ControlPackage] {
    var packages: [ControlPackage] = []
    for (index, value) in try values(bytes).enumerated() {
      packages.append(try package(value, label: "package \(index + 1)"))
    }
    guard !packages.isEmpty else {
      throw DeviceFileError("there is no package in it", remedy: "\(.packages) makes some")
    }
    return packages
  }

  /// The package that an object stands for. Its member `data` decides; the others must agree.
  ///
  /// - Throws: ``DeviceFileError`` with what is missing or differs.
  public static func package(
    _ value: JSONValue, label: String
  ) throws(DeviceFileError) -> ControlPackage {
    func problem(_ text: String) -> DeviceFileError { DeviceFileError(text, entry: label) }
    guard case .object(let object) = value else { throw problem("it is not an object") }
    func text(_ name: String) throws(DeviceFileError) -> String {
      guard case .string(let text)? = object[name] else {
        throw problem("the text \(name) is missing")
      }
      return text
    }
    func number(_ name: String) throws(DeviceFileError) -> Int64 {
      guard case .integer(let number)? = object[name] else {
        throw problem("the whole number \(name) is missing")
      }
      return number
    }
    guard let package = ControlPackage(try text("data")) else {
      throw problem("data is not 44 bytes in base64")
    }
    guard package.format == .deferred else {
      throw problem("data is no package that can be delivered for others (format 1)")
    }
    let differing: String? =
      if try text("heid") != package.heid.description {
        "heid"
      } else if try number("keyRollingCounter") != Int64(package.reference) {
        "keyRollingCounter"
      } else if try text("command") != package.command?.name {
        "command"
      } else if try number("argument") != Int64(package.argument) {
        "argument"
      } else if try number("counter") != Int64(package.counter) {
        "counter"
      } else {
        nil
      }
    if let differing { throw problem("\(differing) is not what data says: it was altered") }
    return package
  }

  private static func values(_ bytes: [UInt8]) throws(DeviceFileError) -> [JSONValue] {
    do throws(JSONError) {
      switch try JSONReader.read(bytes) {
      case .array(let values): return values
      case let value: return [value]
      }
    } catch let whole {
      // Perhaps an object on each line.
      var values: [JSONValue] = []
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      for line in lines {
        do throws(JSONError) {
          values.append(try JSONReader.read(Array(line)))
        } catch {
          throw DeviceFileError(
            "it is not JSON: \(lines.count == 1 ? whole : error)",
            remedy: "\(.packages) makes such files")
        }
      }
      return values
    }
  }
}

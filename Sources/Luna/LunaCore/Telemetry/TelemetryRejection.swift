public import Diagnosis

/// Why a backend does not take a telemetry item.
public enum TelemetryRejection: String, Diagnosed, CaseIterable {
  /// Its key is none.
  case key
  /// Its value or its count is none.
  case value
  /// It is more than ten minutes ahead of the backend's clock, or its time is none.
  case future
  /// It is older than eight days.
  case expired

  /// Why a backend refuses it.
  public var diagnosis: Diagnosis { Diagnosis("the backend refuses the item (\(rawValue))") }
}

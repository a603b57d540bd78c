public import Bluetooth
public import Diagnosis
public import FileOutput
public import Foundation
public import Gzip
public import HTTPServer
public import LunaAccount
public import LunaBackend
public import LunaBuzzer
public import LunaClient
public import LunaCore
public import LunaCrypto
public import LunaDocuments
public import LunaFinder
public import LunaFleet
public import LunaHome
public import LunaJSON
public import LunaLocal
public import LunaLocation
public import LunaOnboarder
public import LunaOwner
public import LunaProtocol
public import LunaShare
public import LunaTelemetry
public import LunaTracker
public import LunaUplink
public import MQTT
public import SystemBus
public import UplinkProtocol

// A program that uses Foundation imports `LunaFoundation`: then `localizedDescription` of Luna's errors
// says what happened, and `recoverySuggestion` what to do. Nothing else is in this module, since
// whoever links Foundation pays for it with megabytes.

extension LocalizedError where Self: Diagnosed {
  /// What was being done, what happened and why.
  public var errorDescription: String? { diagnosis.problem }
  /// What to do.
  public var recoverySuggestion: String? { remedy?.description }
}

extension ATTProblem: LocalizedError {}
extension AccountError: LocalizedError {}
extension AnalysisError: LocalizedError {}
extension BackendError: LocalizedError {}
extension BusError: LocalizedError {}
extension BuzzerError: LocalizedError {}
extension CardRejection: LocalizedError {}
extension CryptoError: LocalizedError {}
extension DeviceFileError: LocalizedError {}
extension DeviceStoreError: LocalizedError {}
extension EddystoneEIDRejection: LocalizedError {}
extension ESFRejection: LocalizedError {}
extension EventRejection: LocalizedError {}
extension FileOutputError: LocalizedError {}
extension FilterError: LocalizedError {}
extension FieldErrors: LocalizedError {}
extension FinderError: LocalizedError {}
extension FleetError: LocalizedError {}
extension FormatError: LocalizedError {}
extension HomeError: LocalizedError {}
extension GATTError: LocalizedError {}
extension GzipError: LocalizedError {}
extension HTTPError: LocalizedError {}
extension IBeaconFrameRejection: LocalizedError {}
extension JSONError: LocalizedError {}
extension LocalProblem: LocalizedError {}
extension LocationChoiceError: LocalizedError {}
extension LocationRejection: LocalizedError {}
extension LunaFrameRejection: LocalizedError {}
extension MQTTError: LocalizedError {}
extension MissingBranchError: LocalizedError {}
extension OnboardingCodeRejection: LocalizedError {}
extension OnboardingError: LocalizedError {}
extension OnboardingRejection: LocalizedError {}
extension OwnerError: LocalizedError {}
extension ProblemDocument: LocalizedError {}
extension QueryRangeRejection: LocalizedError {}
extension ReceiptRejection: LocalizedError {}
extension RecordingError: LocalizedError {}
extension RelayError: LocalizedError {}
extension ReplayError: LocalizedError {}
extension ReplayFileError: LocalizedError {}
extension ReportRejection: LocalizedError {}
extension ServerError: LocalizedError {}
extension ShareError: LocalizedError {}
extension ShareRejection: LocalizedError {}
extension SourceError: LocalizedError {}
extension StatisticsError: LocalizedError {}
extension StorageError: LocalizedError {}
extension TelemetryError: LocalizedError {}
extension TelemetryRejection: LocalizedError {}
extension TrackerError: LocalizedError {}

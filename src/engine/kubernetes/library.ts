/** The parts of the official client that are used: the bundles contain no others. Imported on first use, as a chunk. */
export {
  AuthorizationV1Api,
  BatchV1Api,
  CoreV1Api,
  createConfiguration,
  KubeConfig,
  NetworkingV1Api,
  PatchStrategy,
  PortForward,
  ResponseContext,
  ServerConfiguration,
  setHeaderOptions,
  VersionApi,
  Watch,
  wrapHttpLibrary,
} from '@kubernetes/client-node';

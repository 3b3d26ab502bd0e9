import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { judge, resultOf } from '../../../../tests/support/preflightRule';

describe('LiveKit', () => {
  const conf = (text: string, rmem = 212_992): TestFacts => ({
    configs: { 'livekit.yaml': text },
    sysctls: { 'net.core.rmem_max': rmem },
  });

  it('distinguishes shared ports from a range', () => {
    expect(resultOf('livekit.ports', conf('rtc:\n  udp_port: 7882'))).toBe('pass');
    expect(resultOf('livekit.ports', conf('rtc:\n  udp_port: "7882-7892"'))).toBe('pass');
    expect(resultOf('livekit.ports', conf('rtc:\n  port_range_start: 50000\n  port_range_end: 50500'))).toBe('fail');
    expect(resultOf('livekit.shared-port-buffer', conf('rtc: { udp_port: 7882 }'))).toBe('fail');
    expect(resultOf('livekit.shared-port-buffer', conf('rtc: { udp_port: 7882 }', 5_000_000))).toBe('pass');
    expect(resultOf('livekit.shared-port-buffer', conf('port: 7880'))).toBe('pass');
  });

  it('detects a limit that the plan would reach', () => {
    expect(resultOf('livekit.room-limit', conf('keys: { a: b }'))).toBe('pass');
    expect(resultOf('livekit.room-limit', conf('room: { max_participants: 500 }'))).toBe('fail');
    expect(resultOf('livekit.room-limit', conf('limit: { num_tracks: 100 }'))).toBe('fail');
  });

  it('reports invalid YAML as unread', () => {
    expect(() => judge('livekit.ports', conf('rtc: ['))).toThrow(/is not valid YAML/);
  });
});

-- SPDX-License-Identifier: BSD-3-Clause
-- libidnpolicy for LuaJIT: its declarations, and how a host opens it. Returns the function `open` below. See libidnpolicy(3).
local ffi = require 'ffi'
local MAJOR, MINOR = 0, 1

-- A state may have them already: what is declared stays.
if not pcall(ffi.typeof, 'struct idnp_verdict') then
  ffi.cdef [[
    struct idnp;
    struct idnp_record {
      const uint8_t *owner, *rdata;
      uint32_t owner_len, rdata_len, ttl;
      uint16_t type, rclass, section, unused;
    };
    struct idnp_question { uint32_t size, flags; const uint8_t *qname; uint32_t qname_len; uint16_t qtype, qclass; };
    struct idnp_verdict {
      uint32_t size; int32_t result; uint32_t matched, log_only; int32_t rcode, ede; uint32_t ttl, record_count;
      const struct idnp_record *records; const char *ede_text; const uint8_t *follow; uint32_t follow_len, line;
      const char *file, *action, *subject, *key, *target, *tags; uint32_t label, target_count; uint64_t generation;
    };
    struct idnp_exchange {
      uint32_t size, flags; const uint8_t *query, *answer, *target; uint8_t *reply;
      uint32_t query_len, answer_len, target_len, reply_cap, reply_len, unused;
    };
    struct idnp_reply {
      uint32_t size, qname_len; const uint8_t *qname; uint16_t qtype, qclass, id, port; int32_t rcode;
      uint32_t transport, cached, address_len; uint8_t address[16]; uint64_t elapsed_us; int64_t seconds, nanoseconds;
    };
    uint32_t idnp_version(void);
    const char *idnp_version_text(void);
    struct idnp *idnp_open(const char *config, const void *options, char *errors, size_t errors_cap);
    size_t idnp_messages(struct idnp *, char *dst, size_t cap);
    uint64_t idnp_generation(struct idnp *);
    struct idnp_verdict *idnp_verdict_new(void);
    void idnp_verdict_free(struct idnp_verdict *);
    int32_t idnp_decide(struct idnp *, const struct idnp_question *, struct idnp_verdict *);
    int32_t idnp_decide_answer(struct idnp *, const struct idnp_question *, const struct idnp_record *chain,
                               uint32_t chain_count, struct idnp_verdict *);
    int32_t idnp_decide_message(struct idnp *, struct idnp_exchange *, struct idnp_verdict *);
    int32_t idnp_report(struct idnp *, const struct idnp_reply *, const struct idnp_verdict *);
  ]]
end

local function fail(why)
  error('idn: no policy: ' .. why:gsub('\n+$', ''):gsub('\n', '; '), 0)
end

local function version_of(library)
  return library.idnp_version(), ffi.string(library.idnp_version_text())
end

-- Loads the library from a path. If the state of another thread has opened it, `handle` is that state's, as a number;
-- otherwise idn.conf is opened, at a path or (nil) where it is by default. Returns the library and the handle. An error is one
-- line that says why there is no policy.
return function(path, config, handle)
  local loaded, library = pcall(ffi.load, path)
  if not loaded then
    fail(library)
  end
  local called, version, text = pcall(version_of, library)
  if not called then
    fail(path .. ': ' .. version)
  end
  if math.floor(version / 10000) ~= MAJOR or math.floor(version / 100) % 100 ~= MINOR then
    fail(('%s is version %s, and this needs %d.%d'):format(path, text, MAJOR, MINOR))
  end
  if handle then
    return library, ffi.cast('struct idnp *', handle)
  end
  local errors = ffi.new('char[4096]')
  handle = library.idnp_open(config, nil, errors, ffi.sizeof(errors))
  if handle == nil then
    local why = ffi.string(errors)
    fail(why ~= '' and why or 'no memory')
  end
  return library, handle
end

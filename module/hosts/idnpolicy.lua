-- SPDX-License-Identifier: BSD-3-Clause
-- libidnpolicy for LuaJIT: its declarations, and functions that several hosts need. See libidnpolicy(3).
local ffi = require 'ffi'
local MAJOR, MINOR = 1, 0
local M = {}

-- A Lua state may have these declarations already, and cannot declare them twice.
if not pcall(ffi.typeof, 'struct idnp_decision') then
  ffi.cdef [[
    struct idnp;
    struct idnp_record {
      const uint8_t *owner, *rdata;
      uint32_t owner_len, rdata_len, ttl;
      uint16_t type, rclass, section, unused;
    };
    struct idnp_question { uint32_t size, flags; const uint8_t *qname; uint32_t qname_len; uint16_t qtype, qclass;
      uint8_t address[16]; uint32_t address_len, unused; int64_t seconds; const uint8_t *subnet;
      uint32_t subnet_len, unused2; };
    struct idnp_decision {
      uint32_t size; int32_t result; uint32_t matched, log_only; int32_t rcode, ede; uint32_t ttl, record_count;
      const struct idnp_record *records; const char *ede_text; const uint8_t *follow; uint32_t follow_len, line;
      const char *file, *action, *subject, *key, *target, *tags; uint32_t label, target_count; uint64_t generation;
      uint32_t report, client_specific; const char *group;
      uint32_t structured_code; int32_t structured_ede; const char *structured_text, *structured_brief;
    };
    struct idnp_exchange {
      uint32_t size, flags; const uint8_t *query, *answer, *target; uint8_t *reply;
      uint32_t query_len, answer_len, target_len, reply_cap, reply_len, address_len; uint8_t address[16]; int64_t seconds;
      const uint8_t *subnet; uint32_t subnet_len, unused;
    };
    struct idnp_reply {
      uint32_t size, qname_len; const uint8_t *qname; uint16_t qtype, qclass, id, port; int32_t rcode;
      uint32_t transport, cached, address_len; uint8_t address[16]; uint64_t elapsed_us; int64_t seconds, nanoseconds;
      const uint8_t *message; uint32_t message_len, security; const uint8_t *subnet; uint32_t subnet_len, unused;
    };
    uint32_t idnp_version(void);
    const char *idnp_version_text(void);
    struct idnp *idnp_open_shared(const char *config, const void *options, char *errors, size_t errors_cap);
    void idnp_close(struct idnp *);
    int32_t idnp_message(struct idnp *, char *dst, size_t cap);
    uint64_t idnp_generation(struct idnp *);
    int32_t idnp_wants_subnet(const struct idnp *);
    struct idnp_decision *idnp_decision_new(void);
    void idnp_decision_free(struct idnp_decision *);
    int32_t idnp_decide(struct idnp *, const struct idnp_question *, struct idnp_decision *);
    int32_t idnp_decide_answer(struct idnp *, const struct idnp_question *, const struct idnp_record *chain,
                               uint32_t chain_count, struct idnp_decision *);
    int32_t idnp_decide_message(struct idnp *, struct idnp_exchange *, struct idnp_decision *);
    int32_t idnp_report(struct idnp *, const struct idnp_reply *, const struct idnp_decision *);
  ]]
end

local function fail(why)
  error('idn: no policy: ' .. why:gsub('\n+$', ''):gsub('\n', '; '), 0)
end

local function version_of(library)
  return library.idnp_version(), ffi.string(library.idnp_version_text())
end

-- Loads the library from `path` (nil: where the dynamic linker finds it) and opens the idn.conf at `config` (nil: its default path).
-- All states of a process that name the same idn.conf get the same handle. Returns the library and the handle. Raises an error whose
-- text is one line with the reason.
function M.open(path, config)
  path = path or 'libidnpolicy.so.1'
  local loaded, library = pcall(ffi.load, path)
  if not loaded then
    fail(library)
  end
  local called, version, text = pcall(version_of, library)
  if not called then
    fail(path .. ': ' .. version)
  end
  if math.floor(version / 10000) ~= MAJOR or math.floor(version / 100) % 100 < MINOR then
    fail(('%s is version %s, and this needs %d.%d'):format(path, text, MAJOR, MINOR))
  end
  local errors = ffi.new('char[4096]')
  local handle = library.idnp_open_shared(config, nil, errors, ffi.sizeof(errors))
  if handle == nil then
    local why = ffi.string(errors)
    fail(why ~= '' and why or 'no memory')
  end
  return library, handle
end

-- Returns a table that maps a light userdata, as a host passes it, to a pointer of type `kind`. LuaJIT does not compile code that
-- makes such a pointer, so the table keeps each one. There are few, since each is a place on a thread's stack.
function M.pointers(kind)
  kind = ffi.typeof(kind)
  local function learn(known, light)
    known[light] = ffi.cast(kind, light)
    return known[light]
  end
  jit.off(learn)
  return setmetatable({}, { __index = learn })
end

-- Returns the extended error of an answer: its info code (-1: none) and its text. `asks`: whether the client's query has the option
-- decision.structured_code. A structured text is chosen so that the reply has at most `size` octets (nil: no limit) with the
-- question's name and the decision's records. If an alias is followed, whose target's records have an unknown length, there is no text.
function M.error_of(decision, asks, size, qname_len)
  if not asks or decision.structured_code == 0 then
    return decision.ede, ffi.string(decision.ede_text)
  end
  local room = size and size - 33 - qname_len -- header, type and class, OPT record with the option's code
  for i = 0, size and tonumber(decision.record_count) - 1 or -1 do
    room = room - 10 - decision.records[i].owner_len - decision.records[i].rdata_len
  end
  if size and decision.follow ~= nil then
    room = 0
  end
  for _, text in ipairs { ffi.string(decision.structured_text), ffi.string(decision.structured_brief) } do
    if not room or #text <= room then
      return decision.structured_ede, text
    end
  end
  return decision.structured_ede, ''
end

-- Writes the library's pending messages. `say` has a function for each severity: errors, warnings, notices, lines of the log.
local text = ffi.new('char[16384]')
function M.write_messages(library, idnp, say)
  local severity = library.idnp_message(idnp, text, ffi.sizeof(text))
  while severity >= 0 do
    say[severity + 1]('idn: ' .. ffi.string(text):gsub('^idn: ', ''))
    severity = library.idnp_message(idnp, text, ffi.sizeof(text))
  end
end

return M

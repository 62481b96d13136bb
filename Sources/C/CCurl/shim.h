#pragma once
#if !__has_include(<curl/curl.h>)
#error "libcurl is missing: run 'make setup'"
#endif
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Swift does not import variadic functions.

static inline CURLcode spine_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets a text, which libcurl copies, a list or a buffer.
static inline CURLcode spine_curl_set(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode spine_curl_set_authorities(CURL *easy, const char *certificates, size_t count) {
    struct curl_blob blob = {(void *)certificates, count, CURL_BLOB_COPY};
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
    // The folder of the system's would be searched besides.
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) : code;
}

/// The functions that a transfer calls, the first four with `transfer`, the others with `session`.
typedef struct {
    curl_write_callback header;
    curl_write_callback write;
    curl_read_callback read;
    curl_prereq_callback connected;
    curl_opensocket_callback open;
    curl_closesocket_callback close;
} spine_curl_functions;

static inline CURLcode spine_curl_set_functions(
    CURL *easy, spine_curl_functions functions, void *transfer, void *session) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, functions.header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, functions.write);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, functions.read);
    curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, functions.open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, session);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, functions.close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, session);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, functions.connected);
}

static inline CURLMcode spine_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline long spine_curl_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

/// The server's certificate as PEM with "Cert:" before it; NULL when there was none.
static inline const char *spine_curl_certificate(CURL *easy) {
    struct curl_certinfo *chain = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain || chain->num_of_certs < 1) return NULL;
    for (struct curl_slist *entry = chain->certinfo[0]; entry; entry = entry->next) {
        if (strncmp(entry->data, "Cert:", 5) == 0) return entry->data;
    }
    return NULL;
}

/// Whether a socket is bound to this address, as text, and port.
static inline int spine_socket_is_at(int socket, const char *address, int port) {
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    char text[INET6_ADDRSTRLEN] = "";
    if (getsockname(socket, (struct sockaddr *)&name, &size) != 0) return 0;
    if (name.ss_family == AF_INET6) {
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)&name;
        inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
        return ntohs(six->sin6_port) == port && strcmp(text, address) == 0;
    }
    struct sockaddr_in *four = (struct sockaddr_in *)&name;
    inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
    return ntohs(four->sin_port) == port && strcmp(text, address) == 0;
}

/// Bytes that a connection was given and has received, without TCP's own.
typedef struct {
    int64_t up;
    int64_t down;
} spine_socket_bytes;

/// Counts the bytes of a connection. Returns 1, or 0 where the kernel does not count them (before Linux 4.19).
static inline int spine_socket_count(int socket, spine_socket_bytes *bytes) {
    // The `struct tcp_info` of <linux/tcp.h>; glibc has an older one of this name in <netinet/tcp.h>.
    struct {
        uint8_t state;
        uint8_t before_received[127];
        uint64_t received;
        uint32_t segments[2];
        uint32_t not_sent;
        uint32_t before_sent[13];
        uint64_t sent;
        uint64_t sent_again;
    } info;
    _Static_assert(offsetof(__typeof__(info), sent) == 200, "layout of tcp_info");
    enum { tcp_info = 11, close_wait = 8 };
    uint8_t state;
    // The kernel reads the state before it locks the rest.
    do {
        socklen_t size = sizeof info;
        if (getsockopt(socket, IPPROTO_TCP, tcp_info, &info, &size) != 0 || size < sizeof info) return 0;
        state = info.state;
        bytes->up = (int64_t)(info.sent - info.sent_again + info.not_sent);
        // The end of a connection counts as a byte of the other side.
        bytes->down = (int64_t)info.received - (state == close_wait ? 1 : 0);
        if (getsockopt(socket, IPPROTO_TCP, tcp_info, &info, &size) != 0) return 0;
    } while (info.state != state);
    return 1;
}

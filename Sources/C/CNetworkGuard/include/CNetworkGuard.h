#ifndef C_NETWORK_GUARD_H
#define C_NETWORK_GUARD_H

/// Refuses this process, all its threads and its children every socket but local ones (AF_UNIX, AF_NETLINK), for good.
///
/// C, because the filter is made of the kernel's own structures, and the signal handler changes a register.
///
/// `uncounted`: Whether a refused call fails without being counted, as it has to in other programs that it starts.
///
/// Returns 0, or the errno of what failed; ENOSYS where there is no such thing.
int network_guard_close(int uncounted);

/// Sockets that were refused since.
long network_guard_refused(void);

/// Makes this process the parent of descendants whose own parents end before them (Linux alone, prctl(2)).
///
/// C, because Swift imports no function with a variable number of arguments.
void adopt_orphans(void);

#endif

